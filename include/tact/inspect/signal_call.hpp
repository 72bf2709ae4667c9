// tact::inspect::signal_call: a function that is called when a signal comes, on a thread of its own.
#include "tact/detail/begin.hpp"  // first
#pragma once

#include <functional>
#include <memory>

namespace tact::inspect {

// const tact::inspect::signal_call shows(SIGQUIT, [&] { std::cerr << engine.describe(); });
// const tact::inspect::signal_call dumps(SIGSEGV, [&] { recorder.read().write_chrome_json(file); });
//
// A handler of signals may do next to nothing. So this one only wakes the thread, which may do what any thread may:
// describe an engine that hangs, or write what a recorder has kept. Of signals that come faster than the function
// returns, some are one. An exception of the function is ignored.
//
// After SIGSEGV, SIGBUS, SIGFPE, SIGILL and SIGABRT the program ends as it would without tact. The thread that got the
// signal waits before, five seconds at most, until the function has returned. The function may fail then: the program
// is broken, and if that thread holds the lock of the heap, it waits for the whole time.
//
// A process has one handler for each signal: until the object ends, the signal does not do what it did before.
// Thread safety: made and destroyed by any thread; not in a handler.
class signal_call {
 public:
  // Throws option_error for a number that is no signal which a program can catch, or an empty function; usage_error
  // while another object has the signal; std::system_error when the system gives no pipe or thread; std::bad_alloc.
  signal_call(int signal, std::function<void()> then);
  signal_call(const signal_call&) = delete;
  signal_call& operator=(const signal_call&) = delete;
  // Waits until the function has returned, if it is called at the moment.
  ~signal_call();

 private:
  class catching;
  const std::unique_ptr<catching> catching_;
};

}  // namespace tact::inspect

#include "tact/detail/end.hpp"  // last
