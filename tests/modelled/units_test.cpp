// The processing units of a modelled machine, which threads share.
#include <set>

#include "modelled/nap.hpp"
#include "modelled/programs.hpp"
#include "sync/system.hpp"
#include "tools/modelled/running.hpp"

namespace units_test {

namespace {

using namespace tact::modelled_tests;
using namespace std::chrono_literals;

unsigned core() { return tact::modelled::here.core; }

// Instructions that the model sees.
[[gnu::noinline]] unsigned compute(unsigned rounds) {
  unsigned x = rounds;
  for (unsigned i = 0; i < rounds; ++i) x = x % 3 == 0 ? x / 3 + 1 : x * 5 + 2;
  return x;
}

// How long `threads` threads take that compute at the same time, while the program's own sleeps.
double ns_to_compute(const tact::model_options& options, unsigned threads) {
  std::vector<unsigned> results(threads);
  return ns_of(options, [&] { on_threads(threads, [&](unsigned i) { results[i] = compute(1'000'000); }); });
}

}  // namespace

TEST_CASE("model: two threads on one processing unit take twice as long, in turns", "[modelled]") {
  double first = 0, second = 0;
  const auto r = tact::model::run(free_options("core:1 pu:1"), [&] {
    on_threads(2, [&](unsigned i) {
      const auto began = std::chrono::steady_clock::now();
      work_ns(10e6);
      (i == 0 ? first : second) = ns_since(began);
    });
  });
  CHECK(r.seconds == Approx(20e-3));
  CHECK(r.busy_seconds == Approx(20e-3));
  // Slices of a millisecond: the first one is done just before the second one.
  CHECK(first == Approx(19e6).epsilon(0.05));
  CHECK(second == Approx(19e6).epsilon(0.05));
}

TEST_CASE("model: more threads than processing units share them", "[modelled]") {
  const auto r =
      tact::model::run(free_options("l3:1 core:2 pu:1"), [] { on_threads(6, [](unsigned) { work_ns(4e6); }); });
  CHECK(r.busy_seconds == Approx(24e-3));
  CHECK(r.seconds == Approx(12e-3).epsilon(0.1));
}

TEST_CASE("model: a thread that sleeps leaves its processing unit to others", "[modelled]") {
  const auto r = tact::model::run(free_options("core:1 pu:1"), [] {
    on_threads(2, [](unsigned i) {
      if (i == 0) return work_ns(5e6);
      for (int n = 0; n < 5; ++n) nap(1ms);
    });
  });
  CHECK(r.seconds < 9e-3);
  CHECK(r.busy_seconds == Approx(5e-3));
}

TEST_CASE("model: both threads of a core that have work take longer", "[modelled]") {
  tact::model_options together = free_options("l3:1 core:1 pu:2");
  together.costs.block = 1;
  together.costs.both_busy = 1.5;
  tact::model_options apart = together;
  apart.machine = "l3:1 core:2 pu:1";
  const double alone = ns_to_compute(together, 1);
  CHECK(ns_to_compute(together, 2) == Approx(1.5 * alone).epsilon(0.01));
  CHECK(ns_to_compute(apart, 2) == Approx(alone).epsilon(0.01));
}

TEST_CASE("model: new threads take a free core before the second processing unit of one", "[modelled]") {
  std::set<unsigned> cores;
  static_cast<void>(tact::model::run(free_options("package:2 l3:1 core:2 pu:2"), [&] {
    meeting all(4);
    on_threads(4, [&](unsigned) {
      work_ns(1e6);
      cores.insert(core());
      all.join();
    });
  }));
  CHECK(cores.size() >= 3);  // the program's own core is taken until it sleeps
}

TEST_CASE("model: a thread that is seated runs on its processing unit from then on", "[modelled]") {
  std::vector<unsigned> cores;
  const auto r = tact::model::run(free_options(), [&] {
    for (const unsigned unit : {3u, 1u, 1u, 2u}) {
      tact::sync::system::current()->seat(&unit);
      cores.push_back(core());
      nap(1ms);
      cores.push_back(core());
      work_ns(1e6);
    }
    tact::sync::system::current()->seat(nullptr);
  });
  CHECK(cores == std::vector<unsigned>{3, 3, 1, 1, 1, 1, 2, 2});
  CHECK(r.busy_seconds == Approx(4e-3));
}

TEST_CASE("model: a thread that is seated waits for its processing unit when it wakes and others are there",
          "[modelled]") {
  unsigned woke_on = 0;
  static_cast<void>(tact::model::run(free_options(), [&] {
    const unsigned unit = 2;
    std::thread seated([&] {
      tact::sync::system::current()->seat(&unit);
      nap(1ms);
      woke_on = core();
    });
    nap(500us);
    tact::sync::system::current()->seat(&unit);
    work_ns(1e6);
    seated.join();
  }));
  CHECK(woke_on == 2);
}

TEST_CASE(
    "model: a thread that waits for its processing unit goes to another one that becomes free, unless it is seated",
    "[modelled]") {
  const bool is_seated = GENERATE(false, true);
  const auto r = tact::model::run(free_options("l3:2 core:2 pu:1"), [&] {
    std::vector<std::thread> both;
    for (int i = 0; i < 2; ++i) {
      both.emplace_back([&] {
        const unsigned unit = 0;
        tact::sync::system::current()->seat(&unit);
        if (!is_seated) tact::sync::system::current()->seat(nullptr);
        work_ns(10e6);
      });
    }
    for (auto& t : both) t.join();  // the program's own thread sleeps
  });
  CHECK(r.busy_seconds == Approx(20e-3));
  CHECK(r.seconds == Approx(is_seated ? 20e-3 : 10e-3).epsilon(0.2));
}

TEST_CASE("model: a thread that wakes takes the nearest free processing unit when its own is taken", "[modelled]") {
  unsigned woke_on = 0;
  static_cast<void>(tact::model::run(free_options("l3:2 core:2 pu:1"), [&] {
    unsigned unit = 0;
    std::thread sleeper([&] {
      tact::sync::system::current()->seat(&(unit = 2));
      tact::sync::system::current()->seat(nullptr);
      nap(1ms);
      woke_on = core();
    });
    nap(500us);
    tact::sync::system::current()->seat(&(unit = 2));
    work_ns(1e6);
    sleeper.join();
  }));
  CHECK(woke_on == 3);
}

}  // namespace units_test
