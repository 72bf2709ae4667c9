// Decides when a busy worker wakes an idle one, which could take over some of its shards.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>

#include "dispatch/prices.hpp"
#include "sync/system.hpp"

namespace tact::dispatch {

// To call for help costs about as much time as a wake-up takes. So a worker calls only when the shards that wait need
// more time than that, and waits the longer between two calls the more of its calls have led to no theft. Thread
// safety: owner only.
class help_call {
 public:
  using clock = sync::stopwatch;

  // The worker has run out of work, so the time until its next hold says nothing about how long holds take.
  void rest() noexcept {
    left_ = 1;
    started_ = {};
  }

  // A hold has ended, and other shards were eligible in the same round. True: it is time to see whether help is needed.
  // The clock is read once per stretch of holds; a stretch takes about as long as a wake-up.
  [[nodiscard]] bool hold_ended() noexcept {
    if (--left_ != 0) return false;
    const auto now = clock::now();
    const bool measured = started_ != clock::time_point{};
    if (measured) ns_per_hold_ = std::max<std::uint64_t>((ns_per_hold_ + nanoseconds(now - started_) / length_) / 2, 1);
    started_ = now;
    length_ = static_cast<unsigned>(std::clamp<std::uint64_t>(prices::wake_up_ns / ns_per_hold_, 1, stretch_max));
    left_ = length_;
    return measured;
  }
  // Would so many holds take longer than to wake a worker?
  [[nodiscard]] bool worth(unsigned holds) const noexcept { return holds * ns_per_hold_ >= prices::wake_up_ns; }

  // May the worker call now? `range` is any value that changes when a thief steals from this worker: if it has changed,
  // the last call was of use.
  [[nodiscard]] bool may_call(std::uint64_t range, clock::time_point now = clock::now()) noexcept {
    if (now < not_before_) return false;
    patience_ = range != range_then_ ? patience_min : std::min<std::chrono::nanoseconds>(2 * patience_, patience_max);
    not_before_ = now + patience_;
    range_then_ = range;
    return true;
  }

 private:
  static constexpr unsigned stretch_max = 64;
  static constexpr std::chrono::nanoseconds patience_min{prices::wake_up_ns};
  static constexpr std::chrono::nanoseconds patience_max{10 * prices::long_ns};

  static std::uint64_t nanoseconds(clock::duration d) noexcept {
    return static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(d).count());
  }

  unsigned left_ = 1;
  unsigned length_ = 1;  // of the stretch that is measured, in holds
  std::uint64_t ns_per_hold_ = prices::wake_up_ns;
  clock::time_point started_;
  clock::time_point not_before_;
  std::chrono::nanoseconds patience_ = patience_min;
  std::uint64_t range_then_ = 0;
};

}  // namespace tact::dispatch
