// The destructor of an engine, also where a thread of the engine calls it, and in a forked process.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <string>

#include "actors/core.hpp"
#include "actors/ends.hpp"
#include "actors/stay.hpp"
#include "actors/this_thread.hpp"
#include "actors/transactor.hpp"
#include "sync/system.hpp"
#include "tact/detail/deadline.hpp"

namespace tact::detail {

void finish(core& engine) noexcept {
  if (engine.is_left_behind()) {
    std::fputs(
        "tact: a child process destroys an engine that lives in its parent: it is left as it is; after fork or daemon "
        "let the child call exec or _exit, or make its own engine\n",
        stderr);
    return;
  }
  const actors::ending here(engine);
  if (here.is_in_circle()) {
    if (actors::stay::ends_process()) return engine.leave_to_process_end();
    engine.prepare_end_elsewhere();
    return actors::end_elsewhere(engine);
  }
  engine.finish();
  delete &engine;
}

void core::finish() noexcept {
  const actors::this_thread::callback outside;
  bool is_late = is_cut_off_.load();
  const bool was_ended_before = dispatcher_.stopping() && !is_late;
  if (!dispatcher_.stopping() && !wait_until_quiet(deadline_after(options_.end_deadline), false)) {
    report_overdue("still had work at its end; what is left is dropped");
    is_late = true;
  }
  {
    const sync::locked lock(end_lock_);
    overdue_ = overdue_ || is_late;
    tells_timers_ = !was_ended_before;
  }
  // A handler that returns soon needs no report, so the first wait is one second at least.
  const auto patience = std::max<std::chrono::milliseconds>(options_.end_deadline, std::chrono::seconds(1));
  while (!cancel(deadline_after(patience))) report_overdue("waits for handlers that do not return");
  sweep_actors();  // actors that were created since an earlier cancel
  reports_.tell_left_out();
  left_.report(options_);
  alive_.report(options_);
  cells_.tear_up_papers();
  identity_.gate().close();
}

// Another thread will finish the engine. If the engine has no workers, its handlers may run only on the threads of its
// user, so that thread must run none of them: the engine is stopped here, and what is left is dropped.
void core::prepare_end_elsewhere() noexcept {
  if (dispatcher_.pump() == nullptr || dispatcher_.stopping()) return;
  is_cut_off_.exchange(true);
  close();
  dispatcher_.stop();
}

// Behind this call the process destroys static objects, which handlers on other threads may use. So those threads get
// a second to leave their handlers.
void core::leave_to_process_end() noexcept {
  constexpr auto patience = std::chrono::seconds(1);
  close();
  dispatcher_.stop();
  dispatcher_.wait_for_others(sync::clock::now() + patience);
}

void core::tell_of_process_end() noexcept {
  if (has_ended() || is_left_behind()) return;
  try {
    const statistics s = read_statistics();
    if (s.in_flight() + s.actors_alive + s.timers_armed == 0) return;
  } catch (...) {
    // Without the counts the engine is reported in any case.
  }
  report_overdue("was not ended before its process (its owner stayed, or is one of its own actors)");
}

void core::leave_behind() noexcept {
  closed_.exchange(true);
  timed_.close();
  dispatcher_.leave_behind();
  detail::run* const r = actors::this_thread::worker();
  if (r != nullptr && &transactor::of(*r).engine() == this) transactor::of(*r).look_up_soon();
}

void core::look_whether_left_behind(const char* call) const noexcept { dispatcher_.look_whether_left_behind(call); }

void core::report_overdue(const char* what) noexcept {
  try {
    const std::string text = "tact: an engine " + std::string(what) + ": " + still_running() + "\n";
    if (sync::system* const s = sync::system::current()) return s->say(text);
    std::fputs(text.c_str(), stderr);
  } catch (...) {
    std::fputs("tact: an engine is late to end, and memory is exhausted\n", stderr);
  }
}

}  // namespace tact::detail
