// tact::inspect::println: prints whole lines, from any thread and any handler.
#include "tact/detail/begin.hpp"  // first
#pragma once

#include <chrono>
#include <cstdint>

#include "tact/inspect/detail/line_text.hpp"

namespace tact::inspect {

// tact::inspect::println("got ", n, " from ", name);
//
// Prints the parts, each by its operator<<, and the end of the line, to the standard output.
//
// Lines are never mixed, and those of one thread keep their order; a text with several lines in it stays together.
// Nothing is written by the caller: the line is copied into a queue of 1 MiB, and a thread of its own writes what is
// there. When the output takes so little that the queue is full, lines are lost, and a line in their place says how
// many. A line of more than a quarter of the queue is cut.
//
// In a handler the line is an effect of the run, as what transaction::on_commit is given: it is printed once, behind
// the commit, and never for a run that collides, fails or calls discard. So a handler that runs again prints once. The
// lines of an actor that handles one message at a time keep their order.
//
// What was printed is written when the process ends by exit or by return from main; an output that takes nothing for
// five seconds holds up the end no longer. The standard output of C and C++ has buffers of its own: between its lines
// and these there is no order.
// Thread safety: any thread, concurrently. Throws what an operator<< throws, and std::bad_alloc; then nothing is
// printed.
template <class... T>
void println(const T&... parts) {
  tact::detail::put_line(tact::detail::line_of(parts...));
}

// As println, but in a handler the line is printed at once, and stays when the run is undone: so each try of a handler
// that runs again prints it.
template <class... T>
void println_at_once(const T&... parts) {
  tact::detail::put_line_at_once(tact::detail::line_of(parts...));
}

// Waits until what was printed before this call is written, or lost. Returns false when the limit has passed first. A
// program that ends by std::_Exit, std::quick_exit, a signal or exec calls it before. Throws usage_error in a handler.
bool flush_lines(std::chrono::nanoseconds limit = std::chrono::seconds(5));

// How many lines of this process were lost, because the queue was full, or because the output has failed.
// Thread safety: any thread, concurrently.
[[nodiscard]] std::uint64_t lost_lines() noexcept;

}  // namespace tact::inspect

#include "tact/detail/end.hpp"  // last
