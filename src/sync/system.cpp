// The thread-local objects of sync, and what the operating system tells of a thread.
#include "sync/system.hpp"

#include <sys/resource.h>

#include "sync/thread_state.hpp"

namespace tact::sync {

constinit thread_local thread_state thread_state::the_state_;
constinit thread_local system* system::current_ = nullptr;
constinit thread_local director* director::current_ = nullptr;

processor_use processor_use::read(time_point now) noexcept {
  if (system* const s = system::current()) return s->use(now);
  ::rusage used{};
  ::getrusage(RUSAGE_THREAD, &used);
  const auto of = [](const ::timeval& t) {
    return std::chrono::seconds(t.tv_sec) + std::chrono::microseconds(t.tv_usec);
  };
  return {now, of(used.ru_utime) + of(used.ru_stime), used.ru_nvcsw};
}

}  // namespace tact::sync
