#include "actors/engine/outside_waits.hpp"

#include <string>

#include "actors/common/this_thread.hpp"
#include "actors/failure/dead_letters.hpp"
#include "sync/patience.hpp"
#include "sync/thread_state.hpp"

namespace tact::actors {
namespace {

constexpr int told_rounds = 256;  // a few microseconds: less than it takes to sleep and be woken

[[noreturn]] void refuse_second(const std::string& call) {
  throw usage_error(call + ": another thread pumps this engine; one does at a time");
}

}  // namespace

bool outside_waits::wait_quiet(deadline until, goal g, const char* call) noexcept {
  workers_.look_whether_left_behind(call);
  const guest inside(guests_);
  return sync::wait_patiently(
      until, [&](deadline d) { return wait_until_quiet(d, g); },
      [&] { return std::string(call) + " waits: " + census_.still_running(); });
}

bool outside_waits::wait_until_quiet(deadline until, goal g) noexcept {
  const auto reached = [&] { return census_.is_quiet() && (g == goal::idle || census_.actors_alive() == 0); };
  if (workers_.pump() != nullptr) return workers_.pump()->wait(reached, until);
  for (;;) {
    const auto ticket = workers_.quiet_event().prepare();
    if (reached()) {
      workers_.quiet_event().cancel();
      return true;
    }
    if (!workers_.quiet_event().wait(ticket, until)) return reached();
  }
}

void outside_waits::wait_until_closed() noexcept {
  const guest inside(guests_);
  auto& closed = workers_.quiet_event();
  while (!phase_.is_closed()) {
    const auto ticket = closed.prepare();
    if (phase_.is_closed()) return closed.cancel();
    static_cast<void>(closed.wait(ticket, {}));
  }
}

bool outside_waits::wait_told(wait_word& told, deadline until, port asked) noexcept {
  return sync::wait_patiently(
      until, [&](deadline d) { return wait_until_told(told, d); },
      [&] { return "engine.ask waits for an answer of " + describe(asked) + "; " + census_.still_running(); });
}

bool outside_waits::wait_until_told(wait_word& told, deadline until) noexcept {
  if (workers_.pump() != nullptr) return workers_.pump()->wait([&] { return told.is_done(); }, until);
  return (!is_over(until) && is_told_soon(told)) || told.wait(until);
}

// Spins for a moment: while workers are awake, an answer often comes sooner than a thread can sleep and be woken.
bool outside_waits::is_told_soon(const wait_word& told) const noexcept {
  if (workers_.waker().all_idle()) return false;
  for (int i = sync::rounds_of_spin(told_rounds); i != 0; --i) {
    if (told.is_done()) return true;
    sync::real::pause();
  }
  return false;
}

// -- workers

bool outside_waits::set_workers(unsigned count) {
  workers_.look_whether_left_behind("engine.set_workers");
  const auto refuse = [&](const std::string& why) {
    throw usage_error("engine.set_workers(" + std::to_string(count) + "): " + why);
  };
  const std::string most = std::to_string(options_.workers_max);
  if (options_.workers == 0) {
    refuse("this engine was made with engine_options.workers = 0, and runs on the threads that pump it");
  }
  if (count == 0 || count > options_.workers_max) {
    refuse("give 1 to " + most + ", as this engine was made with engine_options.workers_max = " + most);
  }
  static_cast<void>(workers_.change_workers(count));  // false: the engine ends; no error
  return !sync::waits_in_vain();
}

void outside_waits::look_whether_help_is_wanted() const {
  if (options_.workers != 0 && options_.helpers_max == 0) {
    throw usage_error(
        "engine.ask with tact::help: this engine was made with engine_options.helpers_max = 0, so no thread may help; "
        "allow some, or ask without");
  }
}

void outside_waits::help_until_told(const wait_word& told) noexcept {
  if (workers_.pump() != nullptr) return;  // the thread runs the engine anyway while it waits
  workers_.help([&] { return told.is_done(); });
}

// -- without workers

dispatch::pump& outside_waits::pump_for(const char* call) {
  workers_.look_whether_left_behind(call);
  const auto refuse = [&](const char* why) { throw usage_error(std::string(call) + why); };
  if (workers_.pump() == nullptr) {
    refuse(
        ": this engine has workers, which run its handlers; make it with engine_options.workers = 0 to run them "
        "on your own threads");
  }
  if (this_thread::worker() != nullptr) {
    refuse(" inside a handler: somebody pumps already, and goes on when the handler has returned");
  }
  if (sync::thread_state::of_this_thread().in_wake) {
    refuse(" in engine_options.on_wake: only tell the loop there, and let the loop pump");
  }
  return *workers_.pump();
}

dispatch::pump::amount outside_waits::run_some(std::uint64_t most, deadline until) {
  const auto done = pump_for("engine.pump").run_some(most, until);
  if (!done) refuse_second("engine.pump");
  return *done;
}

void outside_waits::run() {
  const auto all_ended = [this] { return census_.is_quiet() && census_.actors_alive() == 0; };
  if (!pump_for("engine.run").run_until(all_ended)) refuse_second("engine.run");
}

void outside_waits::run_until_idle() {
  if (!pump_for("engine.run_until_idle").run_until([this] { return census_.is_quiet(); }))
    refuse_second("engine.run_until_idle");
}

void outside_waits::quit_run() {
  if (workers_.pump() == nullptr) throw usage_error("engine.quit: this engine has workers, and nobody calls its run");
  workers_.pump()->quit();
}

}  // namespace tact::actors
