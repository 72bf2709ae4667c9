// Seats of workers, on machines of all shapes.
#include "topology/plan.hpp"

#include <algorithm>
#include <set>

#include "support/catch.hpp"
#include "topology/cpu_quota.hpp"

namespace topology_plan_test {

namespace {

using namespace tact::topology;

std::vector<unsigned> units_of(const tact::placement_plan& p) {
  std::vector<unsigned> numbers;
  for (const tact::seat& s : p.seats) numbers.push_back(s.processing_unit);
  return numbers;
}

std::vector<unsigned> planned(const std::string& machine, unsigned workers, const std::vector<unsigned>& allowed = {}) {
  return units_of(plan(described_units(machine, allowed), workers));
}

using numbers = std::vector<unsigned>;
// 2 packages, 2 caches each, 4 cores each, 2 hyper-threads each: 16 cores, 32 units.
const std::string two_packages = "package:2 numa:1 l3:2 core:4 pu:2";

}  // namespace

TEST_CASE("plan: few workers share the first cache, one to a core", "[topology]") {
  CHECK(planned(two_packages, 1) == numbers{0});
  CHECK(planned(two_packages, 4) == numbers{0, 2, 4, 6});
  const auto p = plan(described_units(two_packages), 4);
  for (unsigned a = 0; a < 4; ++a) {
    for (unsigned b = 0; b < 4; ++b) CHECK(p.distance(a, b) == (a == b ? 0 : 1));
  }
}

TEST_CASE("plan: every core has a worker before two share one", "[topology]") {
  const auto units = described_units(two_packages);
  for (unsigned workers = 1; workers <= units.size(); ++workers) {
    const auto p = plan(units, workers);
    REQUIRE(p.seats.size() == workers);
    std::set<unsigned> cores;
    std::set<unsigned> taken;
    for (const tact::seat& s : p.seats) {
      cores.insert(s.core);
      taken.insert(s.processing_unit);
    }
    CHECK(cores.size() == std::min(workers, 16u));
    CHECK(taken.size() == workers);
  }
}

TEST_CASE("plan: those that may come sit behind those that are there", "[topology]") {
  const auto units = described_units(two_packages);
  CHECK(units_of(plan(units, 2, 4)) == numbers{0, 2, 4, 6});
  CHECK(units_of(plan(units, 4, 4)) == numbers{0, 2, 4, 6});
  for (const unsigned workers : {1u, 5u, 16u, 20u, 32u, 40u}) {
    for (const unsigned most : {40u, 64u, 100u}) {
      const auto p = plan(units, workers, most);
      REQUIRE(p.seats.size() == most);
      const auto few = units_of(plan(units, workers));
      auto seats = units_of(p);
      CHECK(std::equal(few.begin(), few.end(), seats.begin()));
      auto all = units_of(plan(units, most));
      std::sort(seats.begin(), seats.end());
      std::sort(all.begin(), all.end());
      CHECK(seats == all);
    }
  }
}

TEST_CASE("plan: the nearer two workers are numbered, the nearer they sit", "[topology]") {
  const auto full = plan(described_units(two_packages), 32);
  for (unsigned i = 0; i + 1 < 32; ++i) CHECK(full.seats[i].processing_unit + 1 == full.seats[i + 1].processing_unit);
  CHECK(full.distance(0, 1) == 0);
  CHECK(full.distance(0, 2) == 1);
  CHECK(full.distance(0, 8) == 2);
  CHECK(full.distance(0, 16) == 4);
  // One more than there are cores: the first core has two.
  const auto p = plan(described_units(two_packages), 17);
  CHECK(p.distance(0, 1) == 0);
  for (unsigned i = 1; i + 1 < 17; ++i) CHECK(p.seats[i].core + 1 == p.seats[i + 1].core);
}

TEST_CASE("plan: more workers than processing units go round", "[topology]") {
  CHECK(planned("core:3 pu:1", 8) == numbers{0, 1, 2, 0, 1, 2, 0, 1});
  CHECK(planned("core:1 pu:2", 5) == numbers{0, 1, 0, 1, 0});
  CHECK(planned("core:1 pu:1", 3) == numbers{0, 0, 0});
}

TEST_CASE("plan: a restricted process stays within its mask", "[topology]") {
  // Both hyper-threads of core 0, one of core 3, both of core 8 in the other package.
  const numbers allowed{0, 1, 7, 16, 17};
  CHECK(planned(two_packages, 2, allowed) == numbers{0, 7});
  CHECK(planned(two_packages, 3, allowed) == numbers{0, 7, 16});
  CHECK(planned(two_packages, 4, allowed) == numbers{0, 1, 7, 16});
  CHECK(planned(two_packages, 7, allowed) == numbers{0, 1, 7, 16, 17, 0, 1});
  CHECK(planned(two_packages, 2, {31}) == numbers{31, 31});
}

TEST_CASE("plan: memory and packages are told apart where they do not coincide", "[topology]") {
  // Two memories in one package; a memory for two packages.
  const auto two_memories = plan(described_units("package:1 numa:2 l3:1 core:2 pu:1"), 4);
  CHECK(two_memories.distance(0, 1) == 1);
  CHECK(two_memories.distance(0, 2) == 3);
  const auto one_memory = plan(described_units("numa:1 package:2 l3:1 core:2 pu:1"), 4);
  CHECK(one_memory.distance(0, 2) == 2);
}

TEST_CASE("plan: this machine has a seat for each worker", "[topology]") {
  for (const unsigned workers : {1u, 2u, 3u, 64u, 1024u}) {
    const auto p = plan(workers);
    CHECK(p.seats.size() == workers);
    CHECK_FALSE(p.pinned);
  }
}

TEST_CASE("plan: by default no more workers than units that may be used, nor than the quota keeps busy", "[topology]") {
  CHECK(default_workers() >= 1);
  CHECK(default_workers() <= usable_units().size());
  if (const auto quota = read_cpu_quota()) CHECK(default_workers() <= threads_for(*quota));
  CHECK(default_workers() == default_workers());
}

}  // namespace topology_plan_test
