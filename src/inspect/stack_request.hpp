// How a thread is asked for its stack, by a signal.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "tact/inspect/thread_stack.hpp"

namespace tact::inspect {

// What a thread has shown, or why it has not.
enum class stack_outcome : unsigned char {
  shown,
  not_asked_for,  // options.signal = 0
  ended,          // there is no such thread (any more)
  silent,         // it has not got the signal in time
  still_writes,   // it has, but was not done in time; or another thread is not, that was asked before
  taken,          // the program has replaced the handler of the signal
  not_sent,       // the system has refused to send the signal
};
struct shown_stack {
  stack_outcome outcome = stack_outcome::silent;
  std::vector<const void*> frames{};  // the innermost first
};

// Throws option_error, which names the option that makes no sense.
void check(const stack_options& options);
// REQUIRES: the options are checked. Throws option_error if the system has no handlers for the signal, std::bad_alloc.
[[nodiscard]] shown_stack ask_for_stack(int thread, const stack_options& options);

}  // namespace tact::inspect
