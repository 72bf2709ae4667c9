// Programs in a model that cannot go on, do not end, or are where they may not be.
#include <atomic>
#include <stdexcept>

#include "modelled/nap.hpp"
#include "modelled/programs.hpp"
#include "support/death.hpp"
#include "tact/tact.hpp"

namespace modelled_ends_test {

namespace {

using namespace tact::modelled_tests;
using namespace std::chrono_literals;
using Catch::Matchers::Contains;
using tact::support::depart;

struct never {
  using reply = int;
};
struct silent : tact::protocol<tact::request<never>> {};
tact::behavior<silent> open_silent() {
  return {[](tact::self<silent>& self, const tact::request<never>& m) { self.defer(m); }};
}

struct call {};
struct caller : tact::protocol<call> {};

// What a process says that ends itself in a model.
std::string last_words_of(const tact::model_options& options, const std::function<void()>& program) {
  const auto departed = depart([&] { static_cast<void>(tact::model::run(options, program)); });
  CHECK(departed.aborted());
  return departed.words;
}

}  // namespace

TEST_CASE("model: a program whose threads all wait for each other ends with a report of them", "[modelled]") {
  const std::string words = last_words_of(free_options(), [] {
    std::mutex one, other;
    on_threads(2, [&](unsigned i) {
      const std::lock_guard first(i == 0 ? one : other);
      nap(1us);
      const std::lock_guard second(i == 0 ? other : one);
    });
  });
  CHECK_THAT(words,
             Contains("tact::model: the program cannot go on: all of its threads wait. Its threads at 0.000001 s"));
  CHECK_THAT(words, Contains("  program                  asleep"));
  CHECK_THAT(words, Contains("  thread of the program    asleep, at 0.000001 s"));
}

TEST_CASE("model: a program that waits for an answer that never comes ends with a report", "[modelled]") {
  const std::string words = last_words_of(small_options(), [] {
    tact::engine e({.workers = 2});
    static_cast<void>(e.ask(e.create(open_silent()), never{}));
  });
  CHECK_THAT(words, Contains("all of its threads wait") && Contains("program "));
}

TEST_CASE("model: a program that takes longer than it may ends with a report", "[modelled]") {
  tact::model_options options = free_options();
  options.seconds_max = 0.002;
  CHECK(ns_of(options, [] { work_ns(1.9e6); }) == Approx(1.9e6));
  const std::string words = last_words_of(options, [] {
    const std::atomic<bool> comes{false};
    while (!comes) std::this_thread::yield();
  });
  CHECK_THAT(words, Contains("longer than model_options::seconds_max") && Contains("program "));
}

TEST_CASE("model: an exception that a thread of the program lets go ends the process", "[modelled]") {
  CHECK_THAT(last_words_of(free_options(), [] { std::thread([] { throw std::runtime_error("lost"); }).join(); }),
             Contains("a thread threw an exception"));
}

TEST_CASE("model: a program that exits ends its process as anywhere else", "[modelled]") {
  CHECK(depart([] { static_cast<void>(tact::model::run(free_options(), [] { std::exit(7); })); }).exited(7));
}

TEST_CASE("model: within a model, a simulation or a handler there is no other model", "[modelled]") {
  unsigned refused = 0;
  const auto try_it = [&refused] {
    try {
      static_cast<void>(tact::model::run(free_options(), [] {}));
    } catch (const tact::usage_error&) {
      ++refused;
    }
  };
  static_cast<void>(tact::model::run(free_options(), [&] {
    try_it();
    std::thread(try_it).join();
  }));
  CHECK(refused == 2);
  {
    tact::simulation sim(1);
    try_it();
  }
  CHECK(refused == 3);
  {
    tact::engine e({.workers = 1});
    e.send(e.create(tact::behavior<caller>{[&](tact::self<caller>&, const call&) { try_it(); }}), call{});
    e.wait_idle();
  }
  CHECK(refused == 4);
  CHECK(ns_of(free_options(), [] { tact::model::spend_ns(5); }) == Approx(5));
}

TEST_CASE("model: a simulation in a model is refused", "[modelled]") {
  bool refused = false;
  static_cast<void>(tact::model::run(free_options(), [&] {
    try {
      const tact::simulation sim(1);
    } catch (const tact::usage_error&) {
      refused = true;
    }
  }));
  CHECK(refused);
}

TEST_CASE("model: a machine that cannot be is refused, and nothing of it is left", "[modelled]") {
  CHECK_THROWS_AS(tact::model::run({.machine = "desk:2"}, [] {}), std::invalid_argument);
  CHECK_THROWS_AS(tact::model::run({.machine = "l3:1 core:513 pu:1"}, [] {}), std::invalid_argument);
  CHECK(ns_of(free_options(), [] { tact::model::spend_ns(5); }) == Approx(5));
}

}  // namespace modelled_ends_test
