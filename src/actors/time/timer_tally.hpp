// What the timers of one engine have counted: docs/protocols/timers.md.
#pragma once

#include <cstdint>

#include "sync/owned_counter.hpp"
#include "sync/policy.hpp"

namespace tact::actors {

// Each timer that was set counts once as over, cancelled or dropped when it is not set any more. The counts of timers
// that runs set and cancel are in run_timers. Thread safety: the first three counters by any thread; the rest is
// written by the timers' own thread, and read by any thread.
struct timer_tally {
  sync::atomic<std::uint64_t> set_outside{0};
  sync::atomic<std::uint64_t> cancelled_outside{0};
  sync::atomic<std::uint64_t> dropped{0};  // at the end of the engine
  sync::owned_counter fired;
  sync::owned_counter over;
  sync::owned_counter stopped;  // repeating timers that were cancelled while they fired

  [[nodiscard]] std::uint64_t cancelled() const noexcept { return cancelled_outside.load() + stopped.read(); }
};

}  // namespace tact::actors
