#include "actors/engine/shutdown.hpp"

#include <algorithm>
#include <chrono>
#include <mutex>
#include <string>
#include <utility>

#include "actors/common/this_thread.hpp"
#include "actors/common/visit.hpp"
#include "actors/staging/run_state.hpp"
#include "base/reserve.hpp"
#include "sync/reports.hpp"
#include "sync/system.hpp"
#include "tact/detail/deadline.hpp"

namespace tact::actors {

bool shutdown::drain(deadline until) noexcept {
  parts_.workers.look_whether_left_behind("engine.drain");
  const sync::rundown<sync::real>::guest inside(parts_.host.guests);
  if (!parts_.workers.stopping()) {
    if (!parts_.calls.wait_quiet(until, outside_waits::goal::idle, "engine.drain")) return false;
    close();
    // Messages that came in between are handled as well.
    if (!parts_.calls.wait_quiet(until, outside_waits::goal::idle, "engine.drain")) {
      go_on_alone();
      return false;
    }
  }
  return cancel(until);
}

void shutdown::close() noexcept {
  parts_.progress.close();
  parts_.admitted.tell_of_room();         // threads that wait for room look again, and see that
  parts_.workers.quiet_event().notify();  // and so do those that wait until it is closed
  parts_.timed.close();
  parts_.workers.mail().close();
}

bool shutdown::cancel(deadline until) noexcept {
  const bool has_ended = try_cancel(until);
  if (!has_ended) go_on_alone();
  return has_ended;
}

bool shutdown::try_cancel(deadline until) noexcept {
  parts_.workers.look_whether_left_behind("engine.cancel");
  if (visit::is_ending(parts_.host.identity))
    return true;  // such as in the destructor of an actor that this end destroys
  close();
  parts_.workers.stop();
  if (!parts_.workers.wait_stopped(until)) return false;
  // The engine's threads have left their handlers. So of several threads that end the engine, those that wait for the
  // lock wait for a short time only.
  const sync::locked lock(end_lock_);
  const visiting here(parts_.host.identity, visit::why::ends);
  if (!swept_) sweep();
  swept_ = true;
  parts_.reports.tell_left_out();
  return true;
}

// If the system gives no thread, the next call of drain or cancel goes on, or the destructor of the engine.
void shutdown::go_on_alone() noexcept {
  const std::lock_guard lock(alone_mutex_);
  if (is_alone_) return;
  try {
    alone_.start("end of an engine", [this] { end_alone(); });
    is_alone_ = true;
  } catch (...) {
    // As above.
  }
}

// Behind a drain what is in flight is still handled, until another thread cancels.
void shutdown::end_alone() noexcept {
  auto& changed = parts_.workers.quiet_event();
  for (;;) {
    const auto ticket = changed.prepare();
    if (parts_.workers.stopping() || parts_.counts.is_quiet()) {
      changed.cancel();
      break;
    }
    if (!changed.wait(ticket, {})) break;  // only in a simulation that cannot go on
  }
  static_cast<void>(try_cancel({}));
}

// REQUIRES: the engine has ended, and the calling thread is not that one.
void shutdown::join_alone() noexcept {
  const std::lock_guard lock(alone_mutex_);
  if (std::exchange(is_alone_, false)) alone_.join();
}

void shutdown::sweep() noexcept {
  const base::may_use_reserve sure;
  parts_.workers.join();
  parts_.progress.end();
  // A thread that asked before that had counted its request by then. So reading the counters here makes its asker
  // visible to the sweep below.
  static_cast<void>(parts_.outside.late.load());
  parts_.timed.end(tells_timers_ ? &parts_.left.left() : nullptr);
  parts_.left.run(overdue_);
}

void shutdown::sweep_late() noexcept {
  if (!parts_.progress.has_ended()) return;
  if (!end_lock_.try_enter()) return;
  {
    const visiting here(parts_.host.identity, visit::why::ends);
    if (swept_) parts_.left.end_actors();
  }
  end_lock_.leave();
}

// -- the destructor of the engine, also where a thread of the engine calls it, and in a forked process

void shutdown::finish() noexcept {
  const this_thread::callback outside;
  bool is_late = is_cut_off_.load();
  const bool was_ended_before = parts_.workers.stopping() && !is_late;
  if (!parts_.workers.stopping() &&
      !parts_.calls.wait_until_quiet(deadline_after(parts_.options.shutdown_timeout), outside_waits::goal::idle)) {
    report_overdue("still had work at its end; what is left is dropped");
    is_late = true;
  }
  {
    const sync::locked lock(end_lock_);
    overdue_ = overdue_ || is_late;
    tells_timers_ = !was_ended_before;
  }
  // A handler that returns soon needs no report, so the first wait is one second at least.
  const auto patience = std::max<std::chrono::milliseconds>(parts_.options.shutdown_timeout, std::chrono::seconds(1));
  while (!try_cancel(deadline_after(patience))) report_overdue("waits for handlers that do not return");
  join_alone();
  parts_.left.end_actors();  // those that were created since an earlier cancel
  parts_.reports.tell_left_out();
  parts_.left.report(parts_.options);
  parts_.host.identity.gate().close();
}

// Another thread will finish the engine. If the engine has no workers, its handlers may run only on the threads of its
// user, so that thread must run none of them: the engine is stopped here, and what is left is dropped.
void shutdown::prepare_end_elsewhere() noexcept {
  if (parts_.workers.pump() == nullptr || parts_.workers.stopping()) return;
  is_cut_off_.exchange(true);
  close();
  parts_.workers.stop();
}

// Behind this call the process destroys static objects, which handlers on other threads may use. So those threads get
// a second to leave their handlers.
void shutdown::leave_to_process_end() noexcept {
  constexpr auto patience = std::chrono::seconds(1);
  close();
  parts_.workers.stop();
  parts_.workers.wait_for_others(sync::clock::now() + patience);
}

void shutdown::tell_of_process_end() noexcept {
  if (parts_.progress.has_ended() || parts_.workers.is_left_behind()) return;
  try {
    const statistics s = parts_.counts.read_statistics();
    if (s.in_flight() + s.actors_alive + s.timers_armed == 0) return;
  } catch (...) {
    // Without the counts the engine is reported in any case.
  }
  report_overdue("was not ended before its process (its owner stayed, or is one of its own actors)");
}

void shutdown::leave_behind() noexcept {
  parts_.progress.close();
  parts_.timed.close();
  parts_.workers.leave_behind();
  detail::run* const r = this_thread::worker();
  if (r != nullptr && &run_state::of(*r).workers() == &parts_.workers) run_state::of(*r).meter().look_up_next();
}

void shutdown::report_overdue(const char* what) noexcept {
  try {
    const std::string text = "tact: an engine " + std::string(what) + ": " + parts_.counts.still_running() + "\n";
    if (sync::director* const s = sync::director::current()) return s->say(text);
    sync::report(text);
  } catch (...) {
    sync::report("tact: an engine is late to end, and memory is exhausted\n");
  }
}

}  // namespace tact::actors
