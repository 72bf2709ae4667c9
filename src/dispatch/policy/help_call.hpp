// Decides when a busy worker wakes an idle one, which could take over some of its shards.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <utility>

#include "dispatch/policy/backoff.hpp"
#include "dispatch/policy/prices.hpp"
#include "sync/system.hpp"

namespace tact::dispatch {

// To call for help costs about as much time as a wake-up takes. So a worker calls only when the shards that wait need
// more time than that, and waits the longer between two calls the more of its calls have led to no theft. How long
// holds take is measured from one to the other: what lies between two handlers makes others wait as well. Thread
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
    const std::uint64_t at = nanoseconds(now.time_since_epoch());
    if (!calls_.is_due(at)) return false;
    range == std::exchange(range_then_, range) ? calls_.was_in_vain(at) : calls_.was_of_use(at);
    return true;
  }

 private:
  static constexpr unsigned stretch_max = 64;

  static std::uint64_t nanoseconds(clock::duration d) noexcept {
    return static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(d).count());
  }

  unsigned left_ = 1;
  unsigned length_ = 1;  // of the stretch that is measured, in holds
  std::uint64_t ns_per_hold_ = prices::wake_up_ns;
  clock::time_point started_;
  backoff calls_{prices::wake_up_ns};  // ns
  std::uint64_t range_then_ = 0;
};

}  // namespace tact::dispatch
