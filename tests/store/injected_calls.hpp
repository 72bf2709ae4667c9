// Calls of the system by which LMDB writes, each of which can be told to fail.
#pragma once

#include <array>
#include <atomic>

namespace tact::support {

enum class written_by : unsigned char { data, sync, meta };

// LMDB writes the pages of a commit by pwrite or writev, then calls fdatasync, then writes a meta page by pwrite to a
// descriptor of its own, which syncs by itself.
class injected_calls {
 public:
  // The next call of this kind returns this errno, and does nothing. 0: as always.
  static void fail_next(written_by what, int error) { errors_[static_cast<std::size_t>(what)] = error; }
  // How often this was called since the process began.
  [[nodiscard]] static unsigned long count(written_by what) { return counts_[static_cast<std::size_t>(what)]; }
  // The errno with which this call fails now; 0: it is done.
  [[nodiscard]] static int take(written_by what) {
    ++counts_[static_cast<std::size_t>(what)];
    return errors_[static_cast<std::size_t>(what)].exchange(0);
  }

 private:
  static inline std::array<std::atomic<int>, 3> errors_{};
  static inline std::array<std::atomic<unsigned long>, 3> counts_{};
};

}  // namespace tact::support
