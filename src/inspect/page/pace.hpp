// How often something is done that costs time: not oftener than wished, and for a bounded share of a processor.
#pragma once

#include <algorithm>
#include <chrono>

namespace tact::inspect {

// Thread safety: one thread.
class pace {
 public:
  using clock = std::chrono::steady_clock;

  // At most 1/share of the time is spent.
  pace(clock::duration least, int share) noexcept : least_(least), share_(share) {}

  // Calls f() if that is due. Returns whether it was.
  template <class F>
  bool step(F f) {
    const auto begin = clock::now();
    if (begin < next_) return false;
    next_ = begin + least_;  // also when f throws
    f();
    const auto end = clock::now();
    next_ = std::max(begin + least_, end + (end - begin) * (share_ - 1));
    return true;
  }
  [[nodiscard]] clock::time_point next() const noexcept { return next_; }

 private:
  clock::duration least_;
  int share_;
  clock::time_point next_{};
};

}  // namespace tact::inspect
