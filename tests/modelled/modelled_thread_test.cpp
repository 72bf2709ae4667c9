// The threads of a program in a model: their objects, their ends.
#include <algorithm>
#include <set>

#include "modelled/nap.hpp"
#include "modelled/programs.hpp"
#include "support/death.hpp"

namespace modelled_thread_test {

namespace {

using namespace tact::modelled_tests;
using namespace std::chrono_literals;

// Takes long to be made.
struct slow {
  slow() { work_ns(1e6); }
  const unsigned number = ++made;
  static inline unsigned made = 0;
};
unsigned number_of_only() {
  static const slow only;
  return only.number;
}

// Counts how many are alive, and says which is whose.
struct own {
  own() { ++alive; }
  own(const own&) = delete;
  own& operator=(const own&) = delete;
  ~own() { --alive; }
  long number = 0;
  static inline long alive = 0;
};
thread_local own mine;

}  // namespace

TEST_CASE("model: threads run side by side on their own cores", "[modelled]") {
  const auto r = tact::model::run(free_options(), [] { on_threads(3, [](unsigned) { tact::model::spend_ns(1e6); }); });
  CHECK(r.seconds == Approx(1e-3));
  CHECK(r.busy_seconds == Approx(3e-3));
  CHECK(r.threads == 4);
}

TEST_CASE("model: to start a thread costs its creator, and to wake takes the new one its time", "[modelled]") {
  tact::model_options options = free_options();
  options.costs.start = 15'000;
  options.costs.woken = 4'000;
  double started = 0, runs = 0;
  static_cast<void>(tact::model::run(options, [&] {
    const auto began = std::chrono::steady_clock::now();
    std::thread t([&] { runs = ns_since(began); });
    started = ns_since(began);
    t.join();
  }));
  CHECK(started == 15'000);
  CHECK(runs == 19'000);
}

TEST_CASE("model: each thread has thread-local objects of its own, until it is joined", "[modelled]") {
  std::set<const void*> places;
  std::vector<long> seen(10);
  long most = 0, left = 0;
  static_cast<void>(tact::model::run(free_options(), [&] {
    own::alive = 0;
    meeting all(10);
    on_threads(10, [&](unsigned i) {
      mine.number = i;
      places.insert(&mine);
      all.join();
      most = std::max(most, own::alive);
      nap(1us * i);
      seen[i] = mine.number;
    });
    left = own::alive;
  }));
  CHECK(places.size() == 10);
  CHECK(most == 10);
  for (long i = 0; i < 10; ++i) CHECK(seen[static_cast<std::size_t>(i)] == i);
  CHECK(left == 0);
}

TEST_CASE("model: the program's own thread keeps the thread-local objects of its caller", "[modelled]") {
  mine.number = 42;
  long seen = 0;
  static_cast<void>(tact::model::run(free_options(), [&] {
    on_threads(2, [](unsigned i) { mine.number = i; });
    seen = std::exchange(mine.number, 43);
  }));
  CHECK(seen == 42);
  CHECK(mine.number == 43);
}

TEST_CASE("model: threads have ids of their own", "[modelled]") {
  std::set<std::thread::id> ids;
  static_cast<void>(tact::model::run(free_options(), [&] {
    meeting all(5);
    ids.insert(std::this_thread::get_id());
    on_threads(5, [&](unsigned) {
      ids.insert(std::this_thread::get_id());
      all.join();
    });
  }));
  CHECK(ids.size() == 6);
}

TEST_CASE("model: a static object is made once, although several threads want it at the same time", "[modelled]") {
  const auto departed = tact::support::depart([] {
    std::vector<unsigned> numbers(4);
    static_cast<void>(
        tact::model::run(small_options(), [&] { on_threads(4, [&](unsigned i) { numbers[i] = number_of_only(); }); }));
    ::_exit(numbers == std::vector<unsigned>(4, 1) ? 0 : 1);
  });
  CHECK(departed.exited(0));
}

TEST_CASE("model: a program ends although threads that it has detached do not", "[modelled]") {
  const auto r = tact::model::run(free_options(), [] {
    std::thread([] { nap(1h); }).detach();
    tact::model::spend_ns(1'000);
  });
  CHECK(r.seconds == Approx(1e-6));
  CHECK(r.threads == 2);
}

}  // namespace modelled_thread_test
