// How many of an engine's workers run, and how that is changed while it runs. docs/protocols/worker_change.md.
#pragma once

#include <cstdint>
#include <optional>

#include "dispatch/shard_mover.hpp"
#include "mailbox/shard.hpp"
#include "sync/lock.hpp"
#include "sync/policy.hpp"
#include "sync/rundown.hpp"

namespace tact::dispatch {

class dispatcher;

// All workers that there may be are made with the dispatcher. The first `threads` of them have a thread, and the first
// `running` of those run: they have shards and offices. The others rest, or have no thread. Invariant: when a number
// has been changed, only workers that run own shards, and each was told of what waits in its shards and offices; but a
// worker that was stealing when it was told to rest may keep a shard, at which it looks. Thread safety: any thread that
// is not a worker's, unless a function says otherwise.
class workforce {
 public:
  workforce(dispatcher& owner, unsigned running);
  ~workforce() = default;
  workforce(const workforce&) = delete;
  workforce& operator=(const workforce&) = delete;

  [[nodiscard]] unsigned running() const noexcept { return running_.load(); }
  [[nodiscard]] unsigned threads() const noexcept { return threads_.load(); }

  // -- from the thread that starts and ends the engine
  void start();  // throws std::system_error; then no worker runs
  // REQUIRES: the dispatcher stops, and all threads have come to their end.
  void join() noexcept;

  // From now on so many of the workers that have a thread run, at least one. No thread is started or ended. False: just
  // now another thread changes the numbers, or the dispatcher stops. From any thread.
  [[nodiscard]] bool run_only(unsigned wanted) noexcept;
  // From now on `wanted` workers have a thread, at least one, and all of them run. A caller waits while another thread
  // changes the number. Returns when the workers that had to go have ended, and those that came have their share of the
  // shards. Throws std::system_error when the system gives no thread; the workers that have come by then stay. False:
  // the dispatcher stops, and no worker comes any more.
  [[nodiscard]] bool change(unsigned wanted);

 private:
  [[nodiscard]] bool grow(unsigned wanted);
  void shrink(unsigned wanted);
  void let_run(unsigned wanted) noexcept;
  void set_running(unsigned count) noexcept;
  void show_idle(unsigned first, unsigned end) noexcept;  // the workers from `first` on that have nothing to do
  void share() noexcept;
  [[nodiscard]] std::optional<unsigned> home_of(const mailbox::shard& s) const noexcept;

  dispatcher* const owner_;
  sync::atomic<unsigned> threads_;
  sync::atomic<unsigned> running_;
  sync::lock<sync::real> one_at_a_time_;
  shard_mover<sync::real, mailbox::shard> mover_;  // used by the thread that has the lock
  sync::waiting_rundown guests_;                   // for threads that change the number
};

}  // namespace tact::dispatch
