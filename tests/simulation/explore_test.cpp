// tact::explore: finds the order in which a program fails, repeats it, and makes it short.
#include <stdexcept>

#include "simulation/office.hpp"
#include "support/captured_stderr.hpp"

namespace explore_test {

namespace {

using namespace tact::simulated_tests;

struct increment {};
struct read_it {
  using reply = int;
};
struct write_it {
  int value;
};
struct cellar : tact::protocol<write_it, tact::request<read_it>> {};
tact::behavior<cellar> open_cellar(int value) {
  return {
      [=](tact::self<cellar>& self, const write_it& m) { self.become(open_cellar(m.value)); },
      [=](auto& self, const tact::request<read_it>& m) { self.reply(m, value); },
  };
}

// Adds one in two messages: what comes in between is lost.
tact::behavior<increment> open_adder(tact::ref<cellar> c) {
  return {[=](tact::self<increment>& self, const increment&) {
    const auto then = self.beta([=](tact::transaction& tx, int value) { tx.send(c, write_it{value + 1}); });
    self.send(c, tact::request<read_it>{then, {}});
  }};
}

void add_twice(tact::simulation& sim) {
  auto& engine = sim.engine();
  const auto c = engine.create(open_cellar(0), tact::parallel);
  const auto adder = engine.create(open_adder(c), tact::parallel);
  engine.send(adder, increment{});
  engine.send(adder, increment{});
  engine.wait_idle();
  if (engine.ask(c, read_it{}) != 2) throw std::runtime_error("an increment was lost");
}

const tact::explore_options silent{.prints = false};

}  // namespace

TEST_CASE("explore: a lost update is found, repeated, and made short", "[simulation]") {
  TACT_SEEDED(seed);
  for (std::uint64_t s = seed; s < seed + 10'000; s += 1'000) {
    const auto e = tact::explore(1'000, add_twice, {.seed = s, .prints = false});
    INFO(e.text());
    REQUIRE(e.failed);
    CHECK(e.what == "an increment was lost");
    CHECK(e.repeatable);
    CHECK(e.switches <= e.switches_seed);
    CHECK(e.switches <= 20);
    CHECK(e.trace.find("handles") != std::string::npos);
    CHECK_THROWS_WITH(
        [&] {
          tact::simulation sim(e.shortest);
          add_twice(sim);
        }(),
        "an increment was lost");
    CHECK_THROWS_WITH(
        [&] {
          tact::simulation sim(e.seed);
          add_twice(sim);
        }(),
        "an increment was lost");
  }
}

TEST_CASE("explore: finds nothing in a program that is right", "[simulation]") {
  TACT_SEEDED(seed);
  const auto e =
      tact::explore(static_cast<std::uint64_t>(scaled(1'000)),
                    [](tact::simulation& sim) { sim.check(work(sim.engine(), 4) == 4, "money was lost or made"); },
                    {.seed = seed, .prints = false});
  INFO(e.text());
  CHECK(!e.failed);
  CHECK(e.schedules == static_cast<std::uint64_t>(scaled(1'000)));
}

TEST_CASE("explore: a check that does not hold in a handler is a failure", "[simulation]") {
  const auto e = tact::explore(
      100,
      [](tact::simulation& sim) {
        auto& engine = sim.engine();
        const auto a = engine.create(tact::behavior<line>{[&sim](tact::self<line>&, const line& m) {
                                       sim.check(m.number != 3, "a line has the number 3");
                                     }},
                                     tact::parallel);
        for (int i = 0; i < 5; ++i) engine.send(a, line{i});
        engine.wait_idle();
      },
      silent);
  CHECK(e.failed);
  CHECK(e.what == "a line has the number 3");
  CHECK(e.schedules == 1);
  CHECK(e.shortest.turns.empty());
}

TEST_CASE("explore: a failure without a text is a failure", "[simulation]") {
  const auto unchecked = tact::explore(
      1, [](tact::simulation& sim) { sim.check(false, ""); }, silent);
  CHECK(unchecked.failed);
  CHECK(unchecked.what == "a check that has no text does not hold");
  CHECK(tact::explore(
            1, [](tact::simulation&) { throw std::runtime_error(""); }, silent)
            .failed);
  tact::simulation sim(1);
  sim.check(true, "");
  CHECK(sim.failure().empty());
}

TEST_CASE("explore: a program that does not end is a failure", "[simulation]") {
  const auto e =
      tact::explore(10,
                    [](tact::simulation& sim) {
                      auto& engine = sim.engine();
                      const auto wheel = engine.create(
                          tact::behavior<line>{[](tact::self<line>& self, const line& m) { self.send(self.ref(), m); }},
                          tact::parallel);
                      engine.send(wheel, line{0});
                      engine.wait_idle();
                    },
                    {.shrinking_runs = 10, .points_max = 5'000, .prints = false});
  CHECK(e.failed);
  CHECK(e.what.find("no end in sight") != std::string::npos);
  CHECK(e.repeatable);
}

TEST_CASE("explore: a program that leaves something to chance is found out", "[simulation]") {
  unsigned runs = 0;
  const auto e = tact::explore(
      10,
      [&runs](tact::simulation&) {
        if (++runs == 3) throw std::runtime_error("the third run");
      },
      silent);
  CHECK(e.failed);
  CHECK(!e.repeatable);
  CHECK(e.text().find("chance") != std::string::npos);
}

TEST_CASE("explore: what is found is told on stderr, with the seed", "[simulation]") {
  const std::string told = captured_stderr([] { CHECK(tact::explore(1'000, add_twice).failed); });
  CHECK(told.find("an increment was lost") != std::string::npos);
  CHECK(told.find("tact::simulation sim{") != std::string::npos);
}

}  // namespace explore_test
