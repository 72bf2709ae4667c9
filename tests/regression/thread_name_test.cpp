// Debuggers and tools show by its name what a thread belongs to.
#include <pthread.h>

#include <future>
#include <string>

#include "support/catch.hpp"
#include "sync/thread.hpp"

namespace thread_name_test {

namespace {

// start() names the thread before it returns, and the thread looks afterwards.
std::string name_of_thread(const std::string& given) {
  std::promise<void> started;
  char name[16] = {};
  tact::sync::thread t;
  t.start(given, [&] {
    started.get_future().wait();
    ::pthread_getname_np(::pthread_self(), name, sizeof name);
  });
  started.set_value();
  t.join();
  return name;
}

}  // namespace

TEST_CASE("thread: its name begins with tact, and ends with its number") {
  CHECK(name_of_thread("worker 3") == "tact-worker 3");
  CHECK(name_of_thread("timers") == "tact-timers");
  CHECK(name_of_thread("blocking 12") == "tact-blockin 12");
  CHECK(name_of_thread("worker 1023") == "tact-worke 1023");
}

}  // namespace thread_name_test
