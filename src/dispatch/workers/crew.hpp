// Lets as many workers run as gain, while the others rest. Protocol page: docs/protocols/worker_change.md.
#pragma once

#include <chrono>
#include <cstdint>
#include <limits>
#include <vector>

#include "dispatch/exchange/exchange.hpp"
#include "dispatch/policy/crew_size.hpp"
#include "dispatch/workers/running_workers.hpp"
#include "sync/lock.hpp"
#include "sync/policy.hpp"
#include "sync/system.hpp"

namespace tact::dispatch {

// Workers look here between messages. One of them measures now and then how many messages all of them have handled, and
// has the workforce change the number of workers that run. While handlers take long all workers run, because to bring a
// message to another worker costs little beside them.
// Thread safety: any thread. Invariant: one thread at a time measures and decides; no thread waits for it.
class crew {
 public:
  using clock = sync::stopwatch;

  crew(exchange& between, running_workers& running, bool is_on);
  crew(const crew&) = delete;
  crew& operator=(const crew&) = delete;

  // Called by a worker that runs, between two messages; `now` may be a little while ago.
  void look(clock::time_point now) noexcept;
  // Called by a worker that rests and keeps watch. If no worker has looked here for long although some are busy,
  // handlers take long, and all workers run from now on.
  void watch() noexcept;
  // From now on all workers run, until it has been measured anew that fewer are better.
  void all_run() noexcept;
  // The number of workers that there are has changed, and all of them run.
  // REQUIRES: the caller has the lock of the running workers.
  void begin_again() noexcept;

 private:
  [[nodiscard]] std::uint64_t count_handled() const noexcept;
  // For how long handlers have kept workers by themselves since this function was called last, `ns` ago.
  [[nodiscard]] std::uint64_t take_kept_ns(std::uint64_t ns) noexcept;
  [[nodiscard]] std::uint64_t count_waiting() const noexcept;          // messages
  [[nodiscard]] unsigned count_slow(unsigned workers) const noexcept;  // of the first ones
  void decide(clock::time_point now) noexcept;
  void begin_measurement() noexcept;

  exchange& exchange_;
  running_workers& running_workers_;
  const bool is_on_;
  sync::lock<sync::real> deciding_;
  // Guarded by the lock.
  crew_size size_;
  std::uint64_t handled_before_ = 0;
  std::vector<std::uint64_t> kept_before_;  // by worker
  clock::time_point began_;
  // When to look next, in ticks of the clock. Any thread reads it; the worker that moves it on measures.
  alignas(64) sync::atomic<clock::time_point::rep> next_{std::numeric_limits<clock::time_point::rep>::max()};
};

}  // namespace tact::dispatch
