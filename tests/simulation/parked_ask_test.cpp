// Handlers that wait for answers, in simulations: stacks within stacks, and one execution for a seed.
#include <string>

#include "simulation/office.hpp"

namespace {

using namespace tact::simulated_tests;

struct transfer {
  tact::ref<account> from, to;
};
struct teller : tact::protocol<transfer> {};

// Reads both balances, each behind a wait, and pays in what they are.
tact::behavior<teller> open_teller() {
  return {[](auto& self, const transfer& m) {
    const long from = self.ask(m.from, balance{});
    self.send(m.to, deposit{1});
    const long to = self.ask(m.to, balance{});
    self.send(m.from, deposit{from >= 0 && to >= 0 ? 1 : 1'000'000});
  }};
}

// Returns what is in both accounts at the end.
long pay_in(tact::engine& e, int transfers) {
  const auto one = e.create(open_account(0));
  const auto other = e.create(open_account(0), tact::ordered);
  const auto parallel = e.create(open_teller());
  const auto ordered = e.create(open_teller(), tact::ordered);
  for (int i = 0; i < transfers; ++i) {
    e.send(i % 2 == 0 ? parallel : ordered, i % 4 < 2 ? transfer{one, other} : transfer{other, one});
  }
  e.wait_idle();
  return e.ask(one, balance{}) + e.ask(other, balance{});
}

std::string story_of(std::uint64_t seed) {
  tact::simulation sim(seed);
  const long cents = pay_in(sim.engine(), 8);
  return sim.trace() + std::to_string(cents) + " cents, " + std::to_string(sim.points()) + " points\n";
}

}  // namespace

TEST_CASE("parked ask: in simulations every wait ends, whatever the schedule", "[law12]") {
  TACT_SEEDED(seed);
  const auto seeds = static_cast<std::uint64_t>(scaled(300));
  for (std::uint64_t s = seed; s < seed + seeds; ++s) {
    INFO("seed=" << s);
    tact::simulation sim(s);
    REQUIRE(pay_in(sim.engine(), 12) == 24);
  }
}

TEST_CASE("parked ask: a seed gives one execution, also of handlers that wait", "[law12]") {
  TACT_SEEDED(seed);
  for (std::uint64_t s = seed; s < seed + 20; ++s) {
    INFO("seed=" << s);
    const std::string first = story_of(s);
    tact::engine real(quiet_options(2));
    CHECK(pay_in(real, 50) == 100);
    CHECK(story_of(s) == first);
  }
}

TEST_CASE("parked ask: a simulated engine that ends tells handlers that wait", "[law12]") {
  TACT_SEEDED(seed);
  struct silent : tact::protocol<tact::request<balance>> {};
  for (std::uint64_t s = seed; s < seed + 20; ++s) {
    INFO("seed=" << s);
    int told = 0;
    {
      tact::simulation sim(s);
      auto& e = sim.engine();
      const auto nobody =
          e.create(tact::behavior<silent>{[](auto& self, const tact::request<balance>& m) { self.defer(m); }});
      struct go {};
      struct asker : tact::protocol<go> {};
      const auto asks = e.create(tact::behavior<asker>{[&told, nobody](auto& self, const go&) {
        try {
          (void)self.ask(nobody, balance{});
        } catch (const tact::ask_error& error) {
          told += error.reason() == tact::failure_reason::engine_ended;
        }
      }});
      for (int i = 0; i < 10; ++i) e.send(asks, go{});
      sim.run();
      e.cancel();
      CHECK(told == 10);
    }
  }
}
