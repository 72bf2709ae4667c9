// tact::pumping: how threads of the user's run an engine without workers.
#include "tact/detail/language.hpp"  // first
#pragma once

#include <chrono>
#include <cstddef>
#include <limits>

#include "tact/detail/core.hpp"

namespace tact {

// For pump: any number of messages.
inline constexpr std::size_t unlimited = (std::numeric_limits<std::size_t>::max)();

// The result of pump: how much it did, and whether it must be called again.
struct pumped {
  std::size_t handled = 0;  // messages that were handled
  // True: something waits. Pump again, soon, because engine_options::on_wake will not be called for it. False: on_wake
  // will be called when something comes, and when a thread that waits for the engine, and runs it meanwhile, leaves
  // something behind.
  bool more = false;
};

// The calls that only an engine with engine_options::workers = 0 has. Such an engine has no thread of its own: its
// handlers run on the thread that calls one of these. That may be another thread each time, but one at a time:
// usage_error is thrown to a second thread, to a handler, and to every caller if the engine has workers. A thread in
// ask, wait_idle, wait_finished, drain, scope.wait or the engine's destructor runs the engine too while it waits,
// unless another thread does so already.
class pumping {
 public:
  pumping(const pumping&) = delete;
  pumping& operator=(const pumping&) = delete;

  // Runs the engine until every actor has ended, or the engine has, or until quit; sleeps while there is nothing to do.
  void run() {
    detail::run_engine(core_);
    detail::look_whether_stuck("engine.run");
  }
  // Runs the engine until nothing is in flight, or until quit; waits for blocking actors too, as wait_idle does.
  void run_until_idle() {
    detail::run_until_idle(core_);
    detail::look_whether_stuck("engine.run_until_idle");
  }
  // Makes the run or run_until_idle that goes on, or else the next one, return soon; messages that wait stay. Any
  // thread may call it, and handlers too: there it is no part of the transaction.
  void quit() { detail::quit_run(core_); }
  // Handles at most max_messages messages, those that handlers send meanwhile included; never sleeps.
  [[nodiscard]] pumped pump(std::size_t max_messages = unlimited) { return pump_until(max_messages, {}); }
  // The same, but stops when about `budget` has passed. The time is checked between handlers, about every 20
  // microseconds.
  template <class Rep, class Period>
  [[nodiscard]] pumped pump(std::size_t max_messages, std::chrono::duration<Rep, Period> budget) {
    return pump_until(max_messages, detail::deadline_after(budget));
  }

 protected:
  explicit pumping(detail::core& c) noexcept : core_(c) {}
  ~pumping() = default;

  detail::core& core_;

 private:
  pumped pump_until(std::size_t max_messages, detail::deadline limit) {
    const pumped done = detail::pump(core_, max_messages, limit);
    if (done.more) detail::look_whether_stuck("engine.pump");
    return done;
  }
};

}  // namespace tact
