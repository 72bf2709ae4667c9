// The explorer itself: what it must find, what it must not imagine, and that a seed repeats an execution.
#include "simulation/explorer.hpp"

#include <stdexcept>

#include "simulation/simulated.hpp"
#include "support/explorer_checks.hpp"

namespace {

using namespace tact;
using simulation::check;
using simulation::simulated;
using word = simulated::atomic<std::uint32_t>;

struct two_threads : simulation::scenario {
  unsigned thread_count() const override { return 2; }
};

// Each raises its flag, then looks at the other's: with buffered stores both may see nothing.
template <std::memory_order Order>
struct flags : two_threads {
  word raised[2];
  std::uint32_t seen[2] = {1, 1};
  void thread(unsigned i) override {
    raised[i].store(1, Order);
    seen[i] = raised[1 - i].load(Order);
  }
  void at_end() override { check(seen[0] + seen[1] != 0, "both saw nothing"); }
};

// Stores of one thread become visible in their order, and its own loads see them at once.
struct in_order : two_threads {
  word first, second;
  void thread(unsigned i) override {
    if (i == 0) {
      first.store(1, std::memory_order_relaxed);
      second.store(1, std::memory_order_relaxed);
      check(first.load(std::memory_order_relaxed) == 1, "a thread missed its own store");
    } else if (second.load(std::memory_order_relaxed) == 1) {
      check(first.load(std::memory_order_relaxed) == 1, "stores overtook one another");
    }
  }
};

struct unlocked_count : two_threads {
  word n;
  void thread(unsigned) override { n.store(n.load() + 1); }
  void at_end() override { check(n.load() == 2, "an increment is lost"); }
};

struct locked_count : unlocked_count {
  simulated::mutex mutex;
  void thread(unsigned i) override {
    mutex.lock();
    unlocked_count::thread(i);
    mutex.unlock();
  }
};

struct embrace : two_threads {
  simulated::mutex mutexes[2];
  void thread(unsigned i) override {
    mutexes[i].lock();
    mutexes[1 - i].lock();
    mutexes[1 - i].unlock();
    mutexes[i].unlock();
  }
};

struct endless : two_threads {
  word never;
  void thread(unsigned) override {
    while (never.load() == 0) simulated::pause();
  }
};

// A thread that spins without saying so must let the other one come to what it waits for.
struct spinning : two_threads {
  word go;
  void thread(unsigned i) override {
    if (i == 0) return go.store(1, std::memory_order_release);
    while (go.load() == 0) {
    }
  }
};

struct throwing : two_threads {
  void thread(unsigned i) override {
    if (i == 1) throw std::runtime_error("thrown");
  }
};

template <class Scenario>
simulation::result explore(simulation::options o = {}) {
  o.schedules = 20'000;
  o.step_limit = 2'000;
  return simulation::explore(o, [] { return std::make_unique<Scenario>(); });
}

}  // namespace

TEST_CASE("explorer: finds what store buffers break, and nothing when the operations are seq_cst", "[simulation]") {
  REQUIRE(explore<flags<std::memory_order_relaxed>>().text == "both saw nothing");
  REQUIRE(explore<flags<std::memory_order_seq_cst>>().failures == 0);
  REQUIRE(explore<in_order>().failures == 0);
}

TEST_CASE("explorer: finds lost updates, which a mutex prevents", "[simulation]") {
  REQUIRE(explore<unlocked_count>().text == "an increment is lost");
  REQUIRE(explore<locked_count>().failures == 0);
}

TEST_CASE("explorer: names deadlock, livelock and exceptions", "[simulation]") {
  REQUIRE(explore<embrace>().text.rfind("deadlock", 0) == 0);
  REQUIRE(explore<endless>().text.rfind("livelock", 0) == 0);
  REQUIRE(explore<throwing>().text == "a thread of the scenario threw");
  REQUIRE(explore<spinning>().failures == 0);
}

TEST_CASE("explorer: a failing seed fails again, with the same number of steps", "[simulation]") {
  const simulation::result first = explore<unlocked_count>();
  simulation::options again;
  again.seed = first.first_failing_seed;
  again.schedules = 1;
  const auto repeat = [&] { return simulation::explore(again, [] { return std::make_unique<unlocked_count>(); }); };
  const simulation::result second = repeat(), third = repeat();
  REQUIRE(second.failures == 1);
  REQUIRE(second.text == first.text);
  REQUIRE(second.steps == third.steps);
}

TEST_CASE("explorer: goes on after a failure when asked to", "[simulation]") {
  simulation::options o;
  o.stop_at_failure = false;
  const simulation::result r = explore<unlocked_count>(o);
  REQUIRE(r.schedules == 20'000);
  REQUIRE(r.failures > 1);
  REQUIRE(r.failures < r.schedules);
}

TEST_CASE("explorer: tells the last operations of a failure", "[simulation]") {
  const simulation::result r = explore<unlocked_count>();
  REQUIRE(r.trace.find("thread 0: load w0 0") != std::string::npos);
  REQUIRE(r.trace.find("thread 1: store w0 1") != std::string::npos);
}
