// Mutexes of a program in a model.
#include <algorithm>
#include <utility>

#include "modelled/nap.hpp"
#include "modelled/programs.hpp"

namespace mutex_test {

namespace {

using namespace tact::modelled_tests;
using namespace std::chrono_literals;
using clock = std::chrono::steady_clock;

// When critical sections began and ended. They must not overlap, in virtual time.
class sections {
 public:
  void note(clock::time_point from, clock::time_point to) { all_.emplace_back(from, to); }
  void check(std::size_t count) {
    REQUIRE(all_.size() == count);
    std::sort(all_.begin(), all_.end());
    unsigned overlaps = 0;
    for (std::size_t i = 1; i < all_.size(); ++i) overlaps += all_[i].first < all_[i - 1].second;
    CHECK(overlaps == 0);
  }

 private:
  std::vector<std::pair<clock::time_point, clock::time_point>> all_;
};

// Instructions that touch no memory, and call nothing.
[[gnu::noinline]] unsigned compute(unsigned x, unsigned rounds) {
  for (unsigned i = 0; i < rounds; ++i) x = x % 3 == 0 ? x / 3 + 1 : x * 5 + 2;
  return x;
}

tact::model_options options_of_blocks() {
  tact::model_options options = free_options();
  options.costs.block = 1;
  return options;
}

}  // namespace

TEST_CASE("model: critical sections of one mutex do not overlap in time", "[modelled]") {
  sections noted;
  const double ns = ns_of(small_options(), [&] {
    std::mutex mutex;
    on_threads(4, [&](unsigned i) {
      for (int n = 0; n < 50; ++n) {
        const std::lock_guard lock(mutex);
        const auto from = clock::now();
        tact::model::spend_ns(500 + 100 * i);
        noted.note(from, clock::now());
      }
    });
  });
  noted.check(200);
  CHECK(ns > 50 * (500 + 600 + 700 + 800));
}

TEST_CASE("model: a mutex is held until its holder has come to the end of what it does, in memory or not",
          "[modelled]") {
  unsigned result = 0;
  double waited = 0;
  static_cast<void>(tact::model::run(options_of_blocks(), [&] {
    std::mutex mutex;
    const auto began = clock::now();
    mutex.lock();
    std::thread other([&] {
      nap(5us);
      const std::lock_guard lock(mutex);
      waited = ns_since(began);
    });
    nap(1us);
    const unsigned x = compute(7, 100'000);  // no memory is touched from here to the end
    mutex.unlock();
    result = x;
    other.join();
  }));
  CHECK(result != 0);
  CHECK(waited >= 100'000);
}

TEST_CASE("model: of two threads that want a mutex the one that is less far in time gets it", "[modelled]") {
  unsigned result = 0;
  double waited = 0;
  static_cast<void>(tact::model::run(options_of_blocks(), [&] {
    std::mutex mutex;
    const auto began = clock::now();
    std::thread other([&] {
      nap(5us);
      const std::lock_guard lock(mutex);
      waited = ns_since(began);
    });
    nap(1us);
    const unsigned x = compute(7, 100'000);  // no memory is touched from here to the mutex
    mutex.lock();
    result = x;
    tact::model::spend_ns(100'000);
    mutex.unlock();
    other.join();
  }));
  CHECK(result != 0);
  CHECK(waited < 10'000);
}

TEST_CASE("model: a mutex that nobody else wants costs little, one that another thread holds costs a sleep",
          "[modelled]") {
  const auto alone = tact::model::run(small_options(), [] {
    std::mutex mutex;
    for (int i = 0; i < 100; ++i) const std::lock_guard lock(mutex);
  });
  CHECK(alone.sleeps == 0);
  CHECK(alone.seconds < 2e-6);
  const auto contended = tact::model::run(small_options(), [] {
    std::mutex mutex;
    on_threads(2, [&](unsigned) {
      const std::lock_guard lock(mutex);
      tact::model::spend_ns(100'000);
    });
  });
  CHECK(contended.sleeps >= 2);  // one of them at the join
  CHECK(contended.seconds > 200e-6);
}

TEST_CASE("model: a mutex goes to the threads in the order in which they came", "[modelled]") {
  std::vector<unsigned> order;
  static_cast<void>(tact::model::run(free_options("l3:1 core:8 pu:1"), [&] {
    std::mutex mutex;
    std::unique_lock held(mutex);
    std::vector<std::thread> threads;
    for (unsigned i = 0; i < 6; ++i)
      threads.emplace_back([&, i] {
        nap(10us * (6 - i));
        const std::lock_guard lock(mutex);
        order.push_back(i);
      });
    nap(1ms);
    held.unlock();
    for (std::thread& t : threads) t.join();
  }));
  CHECK(order == std::vector<unsigned>{5, 4, 3, 2, 1, 0});
}

TEST_CASE("model: a mutex is tried without a wait", "[modelled]") {
  bool while_held = true, after = false;
  static_cast<void>(tact::model::run(free_options(), [&] {
    std::mutex mutex;
    mutex.lock();
    std::thread([&] { while_held = mutex.try_lock(); }).join();
    mutex.unlock();
    std::thread([&] {
      after = mutex.try_lock();
      if (after) mutex.unlock();
    }).join();
  }));
  CHECK(!while_held);
  CHECK(after);
}

}  // namespace mutex_test
