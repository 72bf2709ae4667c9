// tact::inspect::watchdog: names the handlers that run for too long.
#include "tact/detail/begin.hpp"  // first
#pragma once

#include <chrono>
#include <functional>
#include <iosfwd>
#include <memory>

#include "tact/description.hpp"
#include "tact/engine.hpp"
#include "tact/inspect/thread_stack.hpp"

namespace tact::inspect {

// A handler that has not returned for long.
struct late_handler {
  thread_description where{};            // which thread runs it, for which actor and message
  std::chrono::nanoseconds runs_for{0};  // at least; known by a quarter of the limit
  thread_stack stack{};                  // the functions that it is in
};
// Prints "worker 3 runs account@7f3a40#12 handling deposit, for 1.2 s", and below it the stack.
std::ostream& operator<<(std::ostream&, const late_handler&);

struct watchdog_options {
  std::chrono::nanoseconds limit = std::chrono::seconds(1);  // more than 0
  // Called for each handler beyond the limit, and again whenever it has run for twice as long as it was told last. On
  // the thread of the watchdog; it may take its time, and an exception that it throws is ignored. Empty: a line on
  // stderr.
  std::function<void(const late_handler&)> on_late{};
  // How the stacks of handlers beyond the limit are taken; .stacks = {.signal = 0}: they are not.
  stack_options stacks{};
};
std::ostream& operator<<(std::ostream&, const watchdog_options&);

// tact::inspect::watchdog watchdog(engine);
//
// A thread looks four times in each limit what each thread of the engine runs. The engine's threads do nothing for it,
// except that one whose handler is beyond the limit is interrupted by a signal, to show its stack: stack_of_thread says
// what that means for a handler. A handler that waits for an answer on a stack of its own does not run, and is not
// late. Not for simulations, where handlers take no time. Thread safety: any thread. The engine must live as long.
// Source of the idea: Erlang's long_schedule.
class watchdog {
 public:
  // Throws option_error, std::system_error when the system gives no thread, and std::bad_alloc.
  explicit watchdog(engine& of, const watchdog_options& options = {});
  watchdog(const watchdog&) = delete;
  watchdog& operator=(const watchdog&) = delete;
  ~watchdog();

  // Looks now, on this thread; what is late is told.
  void look();
  // How long that thread has been in that handler, at least. 0: not seen in it yet. The description is one of the
  // engine: engine.describe().threads.
  [[nodiscard]] std::chrono::nanoseconds runs_for(const thread_description&) const;

 private:
  class looking;
  const std::unique_ptr<looking> looking_;
};

}  // namespace tact::inspect

#include "tact/detail/end.hpp"  // last
