// A binder of pages for tests: it notes what it is asked to bind, and whether that had been touched.
#pragma once

#include <sys/mman.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

namespace tact::support {

// There is one for the process. Thread safety: any thread.
class bound_ranges {
 public:
  static bool bind(void* first, std::size_t bytes) noexcept {
    constexpr std::size_t page_bytes = 4096;
    std::vector<unsigned char> resident(bytes / page_bytes);
    const bool is_known = ::mincore(first, bytes, resident.data()) == 0;
    const std::lock_guard lock(all().mutex);
    all().ranges.push_back({reinterpret_cast<std::uintptr_t>(first), bytes});
    if (!is_known || std::any_of(resident.begin(), resident.end(), [](unsigned char r) { return (r & 1) != 0; }))
      all().untouched = false;
    return true;
  }
  [[nodiscard]] static bool has(const void* first, std::size_t bytes) {
    const std::lock_guard lock(all().mutex);
    const auto at = reinterpret_cast<std::uintptr_t>(first);
    return std::any_of(all().ranges.begin(), all().ranges.end(),
                       [&](const range& r) { return at >= r.first && at + bytes <= r.first + r.bytes; });
  }
  [[nodiscard]] static bool all_were_untouched() {
    const std::lock_guard lock(all().mutex);
    return all().untouched;
  }
  // A range that begins there is not bound any more: it goes back to the system.
  static void forget(const void* first) {
    const std::lock_guard lock(all().mutex);
    std::erase_if(all().ranges, [&](const range& r) { return r.first == reinterpret_cast<std::uintptr_t>(first); });
  }

 private:
  struct range {
    std::uintptr_t first;
    std::size_t bytes;
  };
  struct notes {
    std::mutex mutex;
    std::vector<range> ranges;
    bool untouched = true;
  };
  static notes& all() {
    static auto* only = new notes;
    return *only;
  }
};

}  // namespace tact::support
