// Random programs in simulations: in whatever order they run, the laws hold.
#include <iostream>
#include <set>

#include "model/hunt.hpp"
#include "model/laws.hpp"
#include "support/engine_fixture.hpp"

namespace {

using namespace tact::model;
using namespace tact::support;

bool same(const history& a, const history& b) {
  return a.all.runs == b.all.runs && a.all.committed == b.all.committed && a.all.refused == b.all.refused &&
         a.all.answers == b.all.answers && a.all.survivors == b.all.survivors && a.all.dead == b.all.dead &&
         a.all.reports == b.all.reports;
}

}  // namespace

TEST_CASE("model: all laws hold for random programs in every simulated order", "[model]") {
  TACT_SEEDED(seed);
  const coverage sum = hunt(in_simulations(), seed, false);
  if (sum.plays < 1'000) return;
  CHECK(sum.failures != 0);
  CHECK(sum.dead != 0);
  CHECK(sum.collisions != 0);
  CHECK(sum.forwarded != 0);
  CHECK(sum.stolen != 0);
}

TEST_CASE("model: a simulated engine that is cancelled keeps the laws, and whoever asked has heard", "[model]") {
  TACT_SEEDED(seed);
  hunt(in_simulations(), seed, true);
}

TEST_CASE("model: a program has one history in a simulation of the same seed, and others in others", "[model][law12]") {
  TACT_SEEDED(seed);
  std::size_t several = 0;
  const auto count = static_cast<std::uint64_t>(scaled(1'000));
  for (std::uint64_t s = seed; s < seed + count; ++s) {
    INFO("seed=" << s);
    const program p = random_program(s, s % 2 == 0);
    const history first = play_in_simulation(p, s);
    CHECK(same(play_in_simulation(p, s), first));
    several += !same(play_in_simulation(p, s + 1), first);
  }
  CHECK(several > count / 4);
}

TEST_CASE("checker: actors that break a law in a simulation are found out", "[model]") {
  TACT_SEEDED(seed);
  const broken_law mistaken = GENERATE(from_range(broken_laws.begin(), broken_laws.end()));
  INFO(mistaken.law);
  const unsigned found = programs_until_found(in_simulations(), seed, mistaken);
  std::cout << mistaken.law << ": a deliberate mistake was found after " << found << " simulated programs\n";
  CHECK(found != 0);
}

TEST_CASE("model: a simulated program that breaks a law is made small, and what is printed repeats it", "[model]") {
  TACT_SEEDED(seed);
  const ground on = in_simulations();
  constexpr mistake wrong = mistake::forgets_to_send;
  std::uint64_t s = seed;
  while (check(random_program(s, false), play_in_simulation(random_program(s, false), s, wrong)).empty()) ++s;
  const finding found = make_small(on, s, false, s, wrong);
  const std::string text = text_of(found, on, s, 0);
  INFO(text);
  CHECK(text.rfind("repeat: TACT_SEED=" + std::to_string(s) + " TACT_PROGRAMS=1 TACT_ORDERS=1 ./dev test", 0) == 0);
  CHECK(text.find(", under seed " + std::to_string(found.seed) + ":") != std::string::npos);
  CHECK(text.find("handles") != std::string::npos);  // the trace
  REQUIRE_FALSE(found.wrong.empty());
  CHECK(text_of(found.small).size() <= text_of(random_program(s, false)).size());
  for (int i = 0; i < 3; ++i) {
    CHECK(check(found.small, play_in_simulation(found.small, found.seed, wrong)) == found.wrong);
  }
}
