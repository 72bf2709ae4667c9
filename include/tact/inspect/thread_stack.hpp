// tact::inspect::thread_stack: the functions that a thread of the program is in.
#include "tact/detail/begin.hpp"  // first
#pragma once

#include <chrono>
#include <csignal>
#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

#include "tact/engine_options.hpp"

namespace tact::inspect {

// A function that has not returned.
struct stack_frame {
  // The next instruction, or the first one behind the call that has not returned.
  const void* address = nullptr;
  // As it is written in C++, with its arguments. Empty: the program exports no such name. A program that is linked with
  // -rdynamic exports those of all its functions but static ones; a shared library exports what it offers.
  std::string function{};
  std::string file{};  // the program or the shared library; empty: no file has this code
  // Of the instruction, or of a byte of the call, in the file: what addr2line takes. It is the same in each run.
  std::uint64_t offset = 0;
};
// Prints "bank::count(int) in /usr/bin/bank+0x8a4f". Of a longer name the first 120 characters are printed.
std::ostream& operator<<(std::ostream&, const stack_frame&);

struct thread_stack {
  std::vector<stack_frame> frames{};  // the innermost first, 128 at most
  // Why it has no frames: "thread 4711 blocks signal 23". Empty if it has some, or was not asked for any.
  std::string why_none{};

  // It was not asked for.
  [[nodiscard]] bool empty() const noexcept { return frames.empty() && why_none.empty(); }
};
// Prints a line for each frame, "    #0  bank::count(int) in /usr/bin/bank+0x8a4f", and behind them for each file the
// command that shows the lines of the source: "    addr2line -Cfpie /usr/bin/bank 0x8a4f 0x8b02". Without frames one
// line, "    no stack: ...", or none. The last line has no end.
std::ostream& operator<<(std::ostream&, const thread_stack&);

struct stack_options {
  // A thread shows its stack when it gets this signal. Any but those of faults will do. SIGURG does nothing in a
  // program that has no handler for it, and debuggers pass it on unseen. 0: no stacks are taken.
  int signal = SIGURG;
  // A thread is waited for so long; more than 0. One that waits for a processor, or blocks the signal, shows nothing
  // before.
  std::chrono::nanoseconds limit = std::chrono::milliseconds(500);
};
std::ostream& operator<<(std::ostream&, const stack_options&);

// The stack of the thread of this process which has that number in the system: thread_description::number_in_system, or
// what gettid returns. The thread is interrupted by the signal for some 10 to 100 microseconds; what it runs goes on. A
// system call that it waits in is begun again, but those that Linux never begins again (poll, epoll_wait, select,
// nanosleep; signal(7) lists them) return EINTR in it.
//
// The signal gets a handler, which stays until the process ends. One that the program had installed before is called
// for each signal that is not of this function. If the program installs its own afterwards, this function sends
// nothing, and says so. Thread safety: any thread; of several that ask at once, one waits for the other. Not in a
// handler of signals. Throws option_error for an option that makes no sense, and std::bad_alloc.
[[nodiscard]] thread_stack stack_of_thread(int number_in_system, const stack_options& options = {});

}  // namespace tact::inspect

#include "tact/detail/end.hpp"  // last
