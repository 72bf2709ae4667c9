// The processor time that threads have used.
#pragma once

#include <time.h>

#include <chrono>

namespace tact::support {

inline std::chrono::nanoseconds processor_time(clockid_t of) {
  timespec t{};
  clock_gettime(of, &t);
  return std::chrono::seconds(t.tv_sec) + std::chrono::nanoseconds(t.tv_nsec);
}

inline std::chrono::nanoseconds processor_time_of_this_thread() { return processor_time(CLOCK_THREAD_CPUTIME_ID); }

// Of all threads of the process but the caller, which looks on: the system charges that one for being woken, and now
// and then for what is not its own.
inline std::chrono::nanoseconds processor_time_of_others() {
  const auto mine = processor_time_of_this_thread();
  return processor_time(CLOCK_PROCESS_CPUTIME_ID) - mine;
}

}  // namespace tact::support
