// Condition variables of a program in a model.
#include <deque>

#include "modelled/nap.hpp"
#include "modelled/programs.hpp"

namespace conditions_test {

namespace {

using namespace tact::modelled_tests;
using namespace std::chrono_literals;
using clock = std::chrono::steady_clock;

}  // namespace

TEST_CASE("model: threads hand things to each other by a condition variable", "[modelled]") {
  long sum = 0;
  static_cast<void>(tact::model::run(small_options(), [&] {
    std::mutex mutex;
    std::condition_variable filled;
    std::deque<long> items;
    on_threads(4, [&](unsigned i) {
      for (int n = 0; n < 100; ++n) {
        std::unique_lock lock(mutex);
        if (i < 2) {
          items.push_back(n);
          filled.notify_one();
        } else {
          filled.wait(lock, [&] { return !items.empty(); });
          sum += items.front();
          items.pop_front();
        }
      }
    });
  }));
  CHECK(sum == 2 * 99 * 50);
}

TEST_CASE("model: a wait with a limit is over when the limit has passed, or when it is woken", "[modelled]") {
  bool came = true, woken = false;
  double limit = 0, waited = 0;
  static_cast<void>(tact::model::run(free_options(), [&] {
    std::mutex mutex;
    std::condition_variable changed;
    bool is = false;
    std::unique_lock lock(mutex);
    auto began = clock::now();
    came = changed.wait_for(lock, 3ms, [&] { return is; });
    limit = ns_since(began);
    std::thread other([&] {
      nap(1ms);
      const std::lock_guard held(mutex);
      is = true;
      changed.notify_all();
    });
    began = clock::now();
    woken = changed.wait_until(lock, std::chrono::system_clock::now() + 3ms, [&] { return is; });
    waited = ns_since(began);
    lock.unlock();
    other.join();
  }));
  CHECK(!came);
  CHECK(limit == 3e6);
  CHECK(woken);
  CHECK(waited == 1e6);
}

}  // namespace conditions_test
