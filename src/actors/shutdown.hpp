// The end of an engine: docs/ends.md.
#pragma once

#include "actors/drop_report.hpp"
#include "actors/leak_report.hpp"
#include "mailbox/copy_queue.hpp"
#include "mailbox/envelope.hpp"
#include "sync/lock.hpp"
#include "sync/mutex.hpp"
#include "sync/policy.hpp"
#include "sync/thread.hpp"
#include "tact/detail/core.hpp"
#include "tact/detail/deadline.hpp"

namespace tact::detail {

// Ends the engine in steps: no message comes in any more (close), the workers stop, and one thread sweeps: it buries
// the messages that are left and ends the actors. Thread safety: any thread, except where a comment says otherwise.
// Invariant: one thread at a time sweeps, and only when no worker is left.
class shutdown {
 public:
  explicit shutdown(core& engine) noexcept : engine_(engine) {}
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
  void resume_waiters() noexcept;
  void tell_continuations() noexcept;
  void tell_owed(const closure& unrun) noexcept;
  void bury_put_aside() noexcept;
  void sweep_messages() noexcept;
  template <class Place>
  void bury_in(Place& at, mailbox::copy_queue& into, mailbox::chunk_store& chunks) noexcept;
  void bury_all(mailbox::copy_queue& queue, mailbox::chunk_store& chunks) noexcept;
  void bury_left(mailbox::envelope& e) noexcept;
  void sweep_actors() noexcept;
  void tell_askers() noexcept;
  void report_overdue(const char* what) noexcept;

  core& engine_;
  sync::lock<sync::real> end_lock_;       // held by the one thread that ends the engine, and may wait meanwhile
  bool swept_ = false;                    // guarded by end_lock_
  bool overdue_ = false;                  // guarded by end_lock_: messages that are left are reported
  bool tells_timers_ = false;             // the same for timers that are set
  actors::drop_report left_;              // guarded by end_lock_
  actors::leak_report alive_;             // at the end, with report_alive; written by the thread that sweeps
  sync::atomic<bool> is_cut_off_{false};  // its destructor must not run what is left
  sync::mutex alone_mutex_;
  sync::thread alone_;     // goes on with the end; guarded by alone_mutex_
  bool is_alone_ = false;  // it was started, and not joined yet; the same
};

}  // namespace tact::detail
