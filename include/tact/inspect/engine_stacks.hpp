// tact::inspect::engine_stacks: what an engine does at the moment, with the stacks of the handlers that run.
#include "tact/detail/begin.hpp"  // first
#pragma once

#include <chrono>
#include <iosfwd>
#include <vector>

#include "tact/description.hpp"
#include "tact/engine.hpp"
#include "tact/inspect/thread_stack.hpp"
#include "tact/inspect/watchdog.hpp"

namespace tact::inspect {

// What describe_with_stacks has found.
struct engine_stacks {
  // A handler that runs.
  struct handler {
    thread_stack stack{};
    std::chrono::nanoseconds runs_for{0};  // at least; 0: not known
  };
  engine_description engine{};
  std::vector<handler> handlers{};  // of each of engine.threads; empty for a thread that handles nothing
};
// Prints what an engine_description prints, and the stack below each thread that runs a handler.
std::ostream& operator<<(std::ostream&, const engine_stacks&);

// const tact::inspect::signal_call shows(SIGQUIT, [&] { std::cerr << tact::inspect::describe_with_stacks(engine); });
//
// engine.describe(), and a stack_of_thread for each thread that runs a handler. Of a handler that returns meanwhile no
// stack is shown. A handler that waits for an answer on a stack of its own does not run, and only gdb shows its stack:
// docs/inspect/gdb.md. `watched`: a watchdog of the same engine, or null; it knows since when a handler has run, if it
// runs for longer than a quarter of its limit. Thread safety: any thread, not in a handler of signals. Throws what
// stack_of_thread throws.
[[nodiscard]] engine_stacks describe_with_stacks(engine& of, const stack_options& options = {},
                                                 const watchdog* watched = nullptr);

}  // namespace tact::inspect

#include "tact/detail/end.hpp"  // last
