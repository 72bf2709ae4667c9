// tact::pumping: how an engine without workers is run, by threads of the user's.
#include "tact/detail/language.hpp"  // first
#pragma once

#include <chrono>
#include <cstddef>
#include <limits>

#include "tact/detail/core.hpp"

namespace tact {

// For pump.
inline constexpr std::size_t unlimited = (std::numeric_limits<std::size_t>::max)();

// What pump says: how much it did, and whether to come back.
struct pumped {
  std::size_t handled = 0;  // messages
  // Something waits: pump again, soon; nobody will call engine_options::on_wake for it. False: it will be called when
  // something comes, and when a thread that waits for the engine, and runs it meanwhile, leaves something behind.
  bool more = false;
};

// What an engine with engine_options::workers = 0 has beside all others. It has no thread of its own: its handlers run
// on the thread that calls one of these. That may be another one each time, but one at a time: a second caller gets
// usage_error, and so does a handler, and who calls them on an engine with workers. A thread in ask, wait_idle,
// wait_finished, drain, scope.wait and the engine's destructor does the same while it waits, unless another thread does
// it already.
class pumping {
 public:
  pumping(const pumping&) = delete;
  pumping& operator=(const pumping&) = delete;

  // Until every actor has ended, or the engine; sleeps while there is nothing to do.
  void run() {
    detail::run_engine(core_);
    detail::look_whether_stuck("engine.run");
  }
  // Until nothing is in flight; waits for blocking actors, as wait_idle does.
  void run_until_idle() {
    detail::run_until_idle(core_);
    detail::look_whether_stuck("engine.run_until_idle");
  }
  // The run or run_until_idle that goes on, or else the next one, returns soon; what waits stays. Any thread, handlers
  // too: there it is no part of the transaction.
  void quit() { detail::quit_run(core_); }
  // At most so many messages, and what comes of them, in turn; never sleeps.
  [[nodiscard]] pumped pump(std::size_t max_messages = unlimited) { return pump_until(max_messages, {}); }
  // The same for about so long: whether the time is over is looked at between handlers, about every 20 microseconds.
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
