// tact::inspect::environment_observer: observes an engine as the environment says, for programs of which only a part of
// the runs is to be observed.
#include "tact/detail/begin.hpp"  // first
#pragma once

#include <memory>

#include "tact/engine.hpp"

namespace tact::inspect {

// tact::engine engine;
// const tact::inspect::environment_observer observer(engine);
//
// Then TACT_TRACE=run.json ./program writes a trace. The variables are TACT_TRACE, TACT_TRACE_ONE_OF, TACT_METRICS,
// TACT_WATCHDOG_MS, TACT_DESCRIBE and TACT_STACK_SIGNAL: docs/environment.md. Without any of them the object does
// nothing. Thread safety: made and destroyed by any thread. The engine must live as long.
class environment_observer {
 public:
  // Throws option_error, which names the variable, for a value that makes no sense; and what a recorder, metrics, a
  // watchdog and a signal_call throw.
  explicit environment_observer(engine& of);
  environment_observer(const environment_observer&) = delete;
  environment_observer& operator=(const environment_observer&) = delete;
  // Writes the files. One that cannot be written is named on stderr.
  ~environment_observer();

 private:
  class parts;
  const std::unique_ptr<parts> parts_;
};

}  // namespace tact::inspect

#include "tact/detail/end.hpp"  // last
