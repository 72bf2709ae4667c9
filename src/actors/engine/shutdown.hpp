// The end of an engine: docs/ends.md.
#pragma once

#include "actors/cells/host.hpp"
#include "actors/common/names.hpp"
#include "actors/common/phase.hpp"
#include "actors/counts/tally.hpp"
#include "actors/engine/outside_waits.hpp"
#include "actors/engine/sweep.hpp"
#include "actors/failure/reports.hpp"
#include "actors/figures/census.hpp"
#include "actors/pressure/limits.hpp"
#include "actors/time/timers.hpp"
#include "dispatch/dispatcher.hpp"
#include "sync/lock.hpp"
#include "sync/mutex.hpp"
#include "sync/policy.hpp"
#include "sync/thread.hpp"
#include "tact/detail/core.hpp"
#include "tact/detail/deadline.hpp"

namespace tact::actors {

// Ends the engine in steps: no message comes in any more (close), the workers stop, and one thread sweeps: it buries
// the messages that are left and ends the actors. Thread safety: any thread, except where a comment says otherwise.
// Invariant: one thread at a time sweeps, and only when no worker is left.
class shutdown {
 public:
  // What it ends, in turn.
  struct parts {
    const engine_options& options;
    dispatch::dispatcher& workers;
    actors::host host;
    phase& progress;
    limits& admitted;
    timers& timed;
    actors::reports& reports;
    const outside_tally& outside;
    const census& counts;
    outside_waits& calls;
    sweep& left;  // guarded by end_lock_
  };
  explicit shutdown(const parts& p) noexcept : parts_(p) {}
  shutdown(const shutdown&) = delete;
  shutdown& operator=(const shutdown&) = delete;

  // False: the deadline passed first. If the engine takes no messages any more, a thread of its own goes on with the
  // end then: what waits for the end of the engine, such as the destructor of a scope, must not wait for another call.
  [[nodiscard]] bool drain(deadline until) noexcept;
  [[nodiscard]] bool cancel(deadline until) noexcept;

  // -- the destructor of the engine, the end of its process, and fork
  void finish() noexcept;
  // Called on a thread that is inside of the engine, before another thread calls finish.
  void prepare_end_elsewhere() noexcept;
  // Called on a thread that ends the process from inside of the engine: no thread will call finish.
  void leave_to_process_end() noexcept;
  // Reports the engine if the process ends before it has ended.
  void tell_of_process_end() noexcept;
  // Called in a forked child of the engine's process: the engine's threads are not here, so it is closed as far as that
  // is possible without them.
  void leave_behind() noexcept;
  // Ends actors that were created after the engine's end. Does nothing while a thread is ending the engine.
  void sweep_late() noexcept;

 private:
  void close() noexcept;
  [[nodiscard]] bool try_cancel(deadline until) noexcept;
  void go_on_alone() noexcept;
  void end_alone() noexcept;
  void join_alone() noexcept;
  void sweep() noexcept;
  void report_overdue(const char* what) noexcept;

  const parts parts_;
  sync::lock<sync::real> end_lock_;       // held by the one thread that ends the engine, and may wait meanwhile
  bool swept_ = false;                    // guarded by end_lock_
  bool overdue_ = false;                  // guarded by end_lock_: messages that are left are reported
  bool tells_timers_ = false;             // guarded by end_lock_: timers that are still set are reported
  sync::atomic<bool> is_cut_off_{false};  // its destructor must not run what is left
  sync::mutex alone_mutex_;
  sync::thread alone_;     // goes on with the end; guarded by alone_mutex_
  bool is_alone_ = false;  // it was started, and not joined yet; guarded by alone_mutex_
};

}  // namespace tact::actors
