// How threads wait for an engine, run an engine that has no workers, and change the number of an engine's workers.
#include <chrono>
#include <cstdio>
#include <string>

#include "actors/core.hpp"
#include "actors/dead_letters.hpp"
#include "actors/stay.hpp"
#include "actors/this_thread.hpp"
#include "actors/transactor.hpp"
#include "sync/patience.hpp"
#include "sync/thread_state.hpp"

namespace tact::detail {
namespace {

constexpr int told_rounds = 256;  // a few microseconds: less than it takes to sleep and be woken

// Marks the calling thread while it calls the user's function that tells an event loop to pump.
class wake_mark {
 public:
  wake_mark() noexcept : was_(sync::thread_state::of_this_thread().in_wake) {
    sync::thread_state::of_this_thread().in_wake = true;
  }
  wake_mark(const wake_mark&) = delete;
  wake_mark& operator=(const wake_mark&) = delete;
  ~wake_mark() { sync::thread_state::of_this_thread().in_wake = was_; }

 private:
  const bool was_;
};

[[noreturn]] void refuse_second(const std::string& call) {
  throw usage_error(call + ": another thread pumps this engine; one does at a time");
}

}  // namespace

bool core::wait_quiet(deadline until, bool and_no_actor, const char* call) noexcept {
  look_whether_left_behind(call);
  const dispatch::lobby::guest inside(guests_);
  return sync::wait_patiently(
      until, [&](deadline d) { return wait_until_quiet(d, and_no_actor); },
      [&] { return std::string(call) + " waits: " + still_running(); });
}

bool core::wait_until_quiet(deadline until, bool and_no_actor) noexcept {
  const auto reached = [&] { return is_quiet() && (!and_no_actor || actors_alive() == 0); };
  if (dispatcher_.pump() != nullptr) return dispatcher_.pump()->wait(reached, until);
  for (;;) {
    const auto ticket = dispatcher_.quiet_event().prepare();
    if (reached()) {
      dispatcher_.quiet_event().cancel();
      return true;
    }
    if (!dispatcher_.quiet_event().wait(ticket, until)) return reached();
  }
}

bool core::wait_told(wait_word& told, deadline until, port asked) noexcept {
  return sync::wait_patiently(
      until, [&](deadline d) { return wait_until_told(told, d); },
      [&] { return "engine.ask waits for an answer of " + actors::describe(asked) + "; " + still_running(); });
}

bool core::wait_until_told(wait_word& told, deadline until) noexcept {
  if (dispatcher_.pump() != nullptr) return dispatcher_.pump()->wait([&] { return told.is_done(); }, until);
  return is_told_soon(told) || told.wait(until);
}

// Spins for a moment: while workers are awake, an answer often comes sooner than a thread can sleep and be woken.
bool core::is_told_soon(const wait_word& told) const noexcept {
  if (dispatcher_.all_idle()) return false;
  for (int i = sync::rounds_of_spin(told_rounds); i != 0; --i) {
    if (told.is_done()) return true;
    sync::real::pause();
  }
  return false;
}

// -- workers

bool core::set_workers(unsigned count) {
  look_whether_left_behind("engine.set_workers");
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
  static_cast<void>(dispatcher_.change_workers(count));  // false: the engine ends; no error
  return !sync::waits_in_vain();
}

void core::look_whether_help_is_wanted() const {
  if (options_.workers != 0 && options_.helpers_max == 0) {
    throw usage_error(
        "engine.ask with tact::help: this engine was made with engine_options.helpers_max = 0, so no thread may help; "
        "allow some, or ask without");
  }
}

void core::help_until_told(const wait_word& told) noexcept {
  if (dispatcher_.pump() != nullptr) return;  // the thread runs the engine anyway while it waits
  dispatcher_.help([&] { return told.is_done(); });
}

// -- without workers

void core::call_loop(const std::function<void()>& call) noexcept {
  if (!call) return;
  try {
    const dispatch::lobby::guest guest(guests_);
    const actors::staying here(*this);
    const actors::this_thread::callback outside;
    const wake_mark mark;
    call();
  } catch (...) {
    // The message is in its shard all the same: the next pump finds it.
  }
}

dispatch::pump& core::pump_for(const char* call) {
  look_whether_left_behind(call);
  const auto refuse = [&](const char* why) { throw usage_error(std::string(call) + why); };
  if (dispatcher_.pump() == nullptr) {
    refuse(
        ": this engine has workers, which run its handlers; make it with engine_options.workers = 0 to run them "
        "on your own threads");
  }
  if (actors::this_thread::worker() != nullptr) {
    refuse(" inside a handler: somebody pumps already, and goes on when the handler has returned");
  }
  if (sync::thread_state::of_this_thread().in_wake) {
    refuse(" in engine_options.on_wake: only tell the loop there, and let the loop pump");
  }
  return *dispatcher_.pump();
}

dispatch::pump::amount core::run_some(std::uint64_t most, deadline until) {
  const auto done = pump_for("engine.pump").run_some(most, until);
  if (!done) refuse_second("engine.pump");
  return *done;
}

void core::run() {
  const auto all_ended = [this] { return is_quiet() && actors_alive() == 0; };
  if (!pump_for("engine.run").run_until(all_ended)) refuse_second("engine.run");
}

void core::run_until_idle() {
  if (!pump_for("engine.run_until_idle").run_until([this] { return is_quiet(); }))
    refuse_second("engine.run_until_idle");
}

void core::quit_run() {
  if (dispatcher_.pump() == nullptr)
    throw usage_error("engine.quit: this engine has workers, and nobody calls its run");
  dispatcher_.pump()->quit();
}

}  // namespace tact::detail
