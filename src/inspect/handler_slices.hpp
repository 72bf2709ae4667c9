// The handlers of a trace, by the threads on which they ran.
#pragma once

#include <chrono>
#include <vector>

#include "tact/inspect/trace.hpp"

namespace tact::inspect {

// A handler, from where it begins or goes on to where it returns or waits.
struct handler_slice {
  std::chrono::nanoseconds begin{0};
  std::chrono::nanoseconds end{0};
  const event* first = nullptr;
  outcome how = outcome::none;
  unsigned undone = 0;  // how often it was undone
};

// "committed", "failed" and so on.
[[nodiscard]] const char* word_of(outcome how) noexcept;

// The slices of each thread, which refer to the events of the trace. Those of handlers that go on behind a wait lie
// within the slice of the answer.
[[nodiscard]] std::vector<std::vector<handler_slice>> slices_of(const trace& t);

}  // namespace tact::inspect
