// The time of a simulation.
#pragma once

#include <algorithm>

#include "sync/system.hpp"

namespace tact::simulated {

// Stands still until it is moved. Thread safety: the real thread.
class virtual_clock {
 public:
  using duration = sync::clock::duration;

  [[nodiscard]] sync::time_point now() const noexcept { return now_; }
  [[nodiscard]] duration elapsed() const noexcept { return now_ - beginning; }
  // The moment so much later, the last one at most.
  [[nodiscard]] sync::time_point after(duration time) const noexcept { return now_ + std::min(time, last - now_); }
  void move_to(sync::time_point t) noexcept { now_ = t; }
  // A thread that sleeps until then sleeps without a deadline.
  [[nodiscard]] static bool is_never(sync::time_point t) noexcept { return t >= last; }

 private:
  static constexpr sync::time_point beginning{std::chrono::hours(1)};
  // A day before the last moment of the system's clock, so that a short time can be added to any moment.
  static constexpr sync::time_point last = sync::time_point::max() - std::chrono::hours(24);

  sync::time_point now_ = beginning;
};

}  // namespace tact::simulated
