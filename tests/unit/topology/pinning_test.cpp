// When an engine that decides it itself keeps its workers on their seats, on machines of all shapes.
#include "topology/pinning.hpp"

#include <string>
#include <thread>

#include "support/catch.hpp"

namespace topology_pinning_test {

namespace {

using namespace tact::topology;

surroundings on(const std::string& machine, const std::vector<unsigned>& allowed = {}) {
  surroundings here;
  here.units = described_units(machine, allowed);
  return here;
}

// 2 packages, 2 caches each, 2 cores each, 2 hyper-threads each: 8 cores, 16 units.
const std::string two_packages = "package:2 numa:1 l3:2 core:2 pu:2";

}  // namespace

TEST_CASE("pinning: pays from two workers on, as long as each has a processing unit for itself", "[topology]") {
  const auto here = on(two_packages);
  CHECK_FALSE(pays_to_pin(0, here));
  CHECK_FALSE(pays_to_pin(1, here));
  for (const unsigned workers : {2u, 3u, 8u, 15u, 16u}) CHECK(pays_to_pin(workers, here));
  CHECK_FALSE(pays_to_pin(17, here));
  CHECK_FALSE(pays_to_pin(1024, here));
}

TEST_CASE("pinning: pays where some cores are nearer to each other than others", "[topology]") {
  const auto machine = GENERATE(as<std::string>{}, "package:2 core:2 pu:1", "package:1 l3:2 core:2 pu:1",
                                "package:1 numa:2 core:2 pu:1", "package:4 numa:2 l3:2 core:4 pu:2");
  INFO(machine);
  CHECK(has_neighbourhoods(described_units(machine)));
  CHECK(pays_to_pin(2, on(machine)));
}

TEST_CASE("pinning: does not pay where all cores are equally far from each other", "[topology]") {
  // One core; hyper-threads only; one cache for all; no shared cache at all; and what virtual machines often show, a
  // package for each core.
  const auto machine =
      GENERATE(as<std::string>{}, "core:1 pu:1", "core:1 pu:8", "package:1 l3:1 core:8 pu:2", "package:1 core:8 pu:1",
               "l2:4 core:1 pu:2", "package:8 core:1 pu:1", "package:8 l3:1 core:1 pu:2");
  INFO(machine);
  CHECK_FALSE(has_neighbourhoods(described_units(machine)));
  CHECK_FALSE(pays_to_pin(2, on(machine)));
}

TEST_CASE("pinning: only processing units that the process may use count", "[topology]") {
  // The units of one cache; one core of each package; two cores of one cache and one of the other package.
  CHECK_FALSE(pays_to_pin(2, on(two_packages, {0, 1, 2, 3})));
  CHECK_FALSE(pays_to_pin(2, on(two_packages, {0, 1, 8, 9})));
  const auto three = on(two_packages, {0, 2, 8});
  CHECK(pays_to_pin(2, three));
  CHECK(pays_to_pin(3, three));
  CHECK_FALSE(pays_to_pin(4, three));
}

TEST_CASE("pinning: does not pay where a quota gives less time than the processing units have", "[topology]") {
  auto here = on(two_packages);
  for (const double quota : {16.0, 16.5, 1e9}) {
    here.quota = quota;
    CHECK(pays_to_pin(2, here));
  }
  for (const double quota : {0.01, 1.0, 2.0, 8.0, 15.99}) {
    here.quota = quota;
    INFO(quota);
    CHECK_FALSE(pays_to_pin(2, here));
  }
}

TEST_CASE("pinning: does not pay for a thread that may not run on all processing units of its process", "[topology]") {
  auto here = on(two_packages);
  here.thread_runs_anywhere = false;
  CHECK_FALSE(pays_to_pin(2, here));
}

TEST_CASE("pinning: on this machine it is decided by the thread that asks", "[topology]") {
  const auto units = static_cast<unsigned>(usable_units().size());
  CHECK_FALSE(pays_to_pin(1));
  CHECK_FALSE(pays_to_pin(units + 1));
  bool everywhere = false, bound = true, pays = true;
  std::thread([&] {
    everywhere = may_run_everywhere();
    if (!pin_this_thread(usable_units().front().place)) return;
    bound = may_run_everywhere();
    pays = pays_to_pin(units);
  }).join();
  CHECK(everywhere);
  CHECK(bound == (units == 1));
  CHECK_FALSE(pays);
}

}  // namespace topology_pinning_test
