// A thread of an engine: of the operating system, or of the simulation in which the engine was made.
#pragma once

#include <pthread.h>

#include <functional>
#include <string>

#include "sync/system.hpp"

namespace tact::sync {

// A thread of the operating system has a wide guard (base/stack_guard.hpp) below its stack, and the size of stack that
// the system gives each thread. Thread safety: start and join as std::thread.
class thread {
 public:
  thread() = default;
  ~thread();  // REQUIRES: the thread was joined, or never started
  thread(const thread&) = delete;
  thread& operator=(const thread&) = delete;

  // `name` is shown in the trace of a simulation, and behind "tact-" by debuggers and tools, which show 15 characters:
  // "worker 3" is "tact-worker 3" there. Throws std::system_error when the system gives no thread.
  void start(const std::string& name, std::function<void()> body);
  void join() noexcept;

  // Asks the system to run the calling thread soon when it wakes, and for a short time at once. It is for a thread that
  // sleeps most of the time and never runs long. The thread's share of the processors stays the same. Does nothing
  // where the system does not know such a wish.
  static void prefer_short_turns() noexcept;
  // The number that the system gives the calling thread, as debuggers and tools show it. 0: it gives none, or the
  // thread is simulated.
  [[nodiscard]] static int number_in_system() noexcept;

 private:
  pthread_t real_{};
  bool is_real_ = false;
  system* in_ = nullptr;
  unsigned number_ = 0;
};

}  // namespace tact::sync
