// Law 12: a seed gives one execution, always the same.
#include <cstdio>
#include <set>
#include <string>
#include <utility>

#include "simulation/office.hpp"
#include "support/another_process.hpp"

namespace replay_test {

namespace {

using namespace tact::simulated_tests;

// What happens with that seed, in full.
std::string story(std::uint64_t seed) {
  tact::simulation sim(seed);
  const long cents = work(sim.engine(), 5);
  return sim.trace() + std::to_string(cents) + " cents, " + std::to_string(sim.switches()) + " switches, " +
         std::to_string(sim.points()) + " points, " + std::to_string(sim.now().count()) + " ns\n";
}

// The same, told by a process of its own.
std::string story_of_another_process(std::uint64_t seed) {
  return tact::support::told_by_another_process("[.story]", "TACT_SEED=" + std::to_string(seed));
}

}  // namespace

TEST_CASE("simulation: tells its story, for a process that asks", "[.story]") {
  const std::string told = story(seed());
  CHECK(!told.empty());
  std::puts(("<" + told + ">").c_str());
}

TEST_CASE("simulation: the same seed gives the same execution, whatever the process did before", "[law12]") {
  TACT_SEEDED(seed);
  for (std::uint64_t s = seed; s < seed + 5; ++s) {
    INFO("seed=" << s);
    const std::string first = story(s);
    int others = 0;
    for (int i = 0; i < scaled(100); ++i) {
      if (i % 10 == 0) {
        tact::engine real(quiet_options(2));  // leaves blocks, chunks and cells behind
        CHECK(work(real, 50) == 50);
      }
      others += story(s) != first;
    }
    CHECK(others == 0);
  }
}

TEST_CASE("simulation: the same seed gives the same execution in another process", "[law12]") {
  TACT_SEEDED(seed);
  const std::string here = story(seed);
  const std::string there = story_of_another_process(seed);
  CHECK(there.find("<" + here + ">") != std::string::npos);
}

TEST_CASE("simulation: other seeds give other executions", "[law12]") {
  TACT_SEEDED(seed);
  std::set<std::string> stories;
  const unsigned count = 100;
  for (unsigned i = 0; i < count; ++i) stories.insert(story(seed + i));
  CHECK(stories.size() > count / 2);
}

TEST_CASE("simulation: a schedule in full repeats what a seed chose", "[law12]") {
  TACT_SEEDED(seed);
  const auto run = [](const tact::schedule& as) {
    tact::simulation sim(as);
    CHECK(work(sim.engine(), 5) == 5);
    return std::pair(sim.so_far(), sim.trace());
  };
  for (std::uint64_t s = seed; s < seed + 20; ++s) {
    INFO("seed=" << s);
    const auto [chosen, told] = run({.seed = s});
    const auto [again, told_again] = run(chosen);
    CHECK(told_again == told);
    CHECK(again.turns == chosen.turns);
  }
}

}  // namespace replay_test
