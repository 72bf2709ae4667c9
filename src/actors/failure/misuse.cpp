#include "tact/detail/misuse.hpp"

#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>
#include <new>
#include <set>

#include "actors/common/report_line.hpp"
#include "sync/mutex.hpp"
#include "tact/failure.hpp"

namespace tact::detail {
namespace {

// Frames of handlers to which a continuation refers. Never destroyed: threads may run until the process ends.
struct noted_frames {
  sync::mutex mutex;
  std::map<const void*, std::uint64_t> of;  // by the address of the handler's transaction
  std::set<std::uint64_t> numbers;
  std::set<const char*> told;  // continuations for which a line was written already
  std::uint64_t last = 0;
};

noted_frames& frames() {
  static auto* only = new noted_frames;
  return *only;
}

}  // namespace

void refuse_foreign_run(const run* r) {
  const run* const own = current_run();
  if (r == own && r != nullptr) return;
  throw usage_error(
      own == nullptr
          ? "tact::self, or the tact::transaction of a continuation: it is used outside of its handler, which has "
            "returned or runs on another thread; it cannot be kept: outside send with `ref | message` or engine.send"
          : "tact::self, or the tact::transaction of a continuation: this is not that of the handler that runs here, "
            "but of one that has returned or runs on another thread; it cannot be kept: use the handler's own first "
            "parameter");
}

void end_misused(const char* what, const char* file, unsigned line, const char* did) noexcept {
  std::fprintf(stderr, "tact: %s", what);
  if (file != nullptr) std::fprintf(stderr, ", attached at %s:%u,", file, line);
  std::fprintf(stderr, " %s\n", did);
  std::abort();
}

std::uint64_t note_frame(const void* transaction) noexcept {
  try {
    noted_frames& all = frames();
    const std::lock_guard lock(all.mutex);
    if (const auto noted = all.of.find(transaction); noted != all.of.end()) return noted->second;
    const std::uint64_t number = ++all.last;
    all.numbers.insert(number);
    all.of.emplace(transaction, number);
    return number;
  } catch (const std::bad_alloc&) {
    return 0;
  }
}

void forget_frame(const void* transaction) noexcept {
  noted_frames& all = frames();
  const std::lock_guard lock(all.mutex);
  const auto at = all.of.find(transaction);
  if (at == all.of.end()) return;
  all.numbers.erase(at->second);
  all.of.erase(at);
}

bool has_frame(std::uint64_t number) noexcept {
  noted_frames& all = frames();
  const std::lock_guard lock(all.mutex);
  return all.numbers.contains(number);
}

void tell_dangling(const char* continuation, unsigned length) noexcept {
  {
    noted_frames& all = frames();
    const std::lock_guard lock(all.mutex);
    try {
      if (!all.told.insert(continuation).second) return;
    } catch (const std::bad_alloc&) {
      return;
    }
  }
  actors::report_line line;
  line << "a continuation captures by reference what was local to its handler, which has returned: "
       << std::string_view(continuation, length) << "; let it capture by value, [=]";
  line.report();
}

}  // namespace tact::detail
