// How often a worker looks at the crew.
#pragma once

#include <cstdint>

namespace tact::dispatch {

// A look reads the clock, and shows to the other threads how many messages this worker has handled. So it should come
// seldom by messages and often by time: after so many runs; sooner if these were long, because a worker that brings
// hundreds of shards together runs a thousand messages at a time, and until it looks none of them counts; and after
// each run while handlers take long, beside which the clock costs nothing. Thread safety: owner only.
class crew_pace {
 public:
  // A run has ended, after which the worker has handled so many messages in all. True: look now.
  [[nodiscard]] bool is_due(std::uint64_t handled, bool is_slow) noexcept {
    if (--runs_left_ != 0 && handled - handled_before_ < messages_per_look && !is_slow) return false;
    runs_left_ = runs_per_look;
    handled_before_ = handled;
    return true;
  }

  static constexpr unsigned runs_per_look = 16;
  static constexpr std::uint64_t messages_per_look = 256;

 private:
  unsigned runs_left_ = 1;  // it looks after the first run
  std::uint64_t handled_before_ = 0;
};

}  // namespace tact::dispatch
