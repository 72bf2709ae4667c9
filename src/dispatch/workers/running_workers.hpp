// Which of an engine's workers run, and which rest. docs/protocols/worker_change.md.
#pragma once

#include <optional>

#include "dispatch/exchange/exchange.hpp"
#include "dispatch/exchange/shard_mover.hpp"
#include "mailbox/shard.hpp"
#include "sync/lock.hpp"
#include "sync/policy.hpp"

namespace tact::dispatch {

// The first workers run: they have shards and offices. The others have a thread that rests, or none. Invariant: when
// the number has been changed, only workers that run own shards, and each was told of what waits in its shards and
// offices; but a worker that was stealing when it was told to rest may keep a shard, at which it looks. Thread safety:
// as each section says.
class running_workers {
 public:
  explicit running_workers(exchange& between);
  running_workers(const running_workers&) = delete;
  running_workers& operator=(const running_workers&) = delete;

  // -- from any thread
  // From now on so many of the workers that have a thread run, at least one. No thread is started or ended. False: just
  // now another thread changes the numbers, or the engine stops.
  [[nodiscard]] bool run_only(unsigned wanted) noexcept;

  // -- from the thread that has this lock: one at a time changes the numbers
  [[nodiscard]] sync::lock<sync::real>& changing() noexcept { return one_at_a_time_; }
  void let_run(unsigned wanted) noexcept;  // and gives each its share
  void set_running(unsigned count) noexcept;
  void share() noexcept;  // gives each worker that runs its share of the shards

 private:
  void show_idle(unsigned first, unsigned end) noexcept;  // the workers from `first` on that have nothing to do
  [[nodiscard]] std::optional<unsigned> home_of(const mailbox::shard& s) const noexcept;

  exchange& exchange_;
  sync::lock<sync::real> one_at_a_time_;
  shard_mover<sync::real, mailbox::shard> mover_;  // used by the thread that has the lock
};

}  // namespace tact::dispatch
