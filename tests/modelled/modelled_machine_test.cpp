// The cores, caches and packages of a modelled machine, and what lies between them.
#include <stdexcept>
#include <string>

#include "support/catch.hpp"
#include "tools/modelled/machine.hpp"

namespace modelled_machine_test {

namespace {

using Catch::Matchers::Contains;
using tact::modelled::core_set;
using tact::modelled::machine;
using tact::modelled::source;

}  // namespace

TEST_CASE("modelled machine: has the units, cores and caches that its words say", "[modelled]") {
  const machine m("package:2 l3:2 core:4 pu:2");
  REQUIRE(m.units().size() == 32);
  REQUIRE(m.cores().size() == 16);
  CHECK(m.caches() == 4);
  for (unsigned i = 0; i < 32; ++i) CHECK(m.units()[i].core == i / 2);
  for (unsigned i = 0; i < 16; ++i) {
    CHECK(m.cores()[i].cache == i / 4);
    CHECK(m.cores()[i].package == i / 8);
  }
}

TEST_CASE("modelled machine: a package has its own memory, unless the words say otherwise", "[modelled]") {
  const machine without("package:2 l3:2 core:1 pu:1");
  const machine with("package:2 numa:2 l3:1 core:1 pu:1");
  for (unsigned i = 0; i < 4; ++i) {
    CHECK(without.cores()[i].node == i / 2);
    CHECK(with.cores()[i].node == i);
  }
}

TEST_CASE("modelled machine: tells what lies between two cores, and between a cache and a core", "[modelled]") {
  const machine m("package:2 l3:2 core:2 pu:1");
  CHECK(m.between(0, 1) == source::same_l3);
  CHECK(m.between(0, 2) == source::same_package);
  CHECK(m.between(0, 4) == source::other_package);
  CHECK(m.between(7, 0) == source::other_package);
  CHECK(m.from_cache(1, 0) == source::same_package);
  CHECK(m.from_cache(2, 0) == source::other_package);
  CHECK(m.from_cache(0, 7) == source::other_package);
}

TEST_CASE("modelled machine: words that hwloc does not understand are refused by name", "[modelled]") {
  CHECK_THROWS_AS(machine("desk:2 drawer:4"), std::invalid_argument);
  CHECK_THROWS_WITH(machine("desk:2 drawer:4"), Contains("desk:2 drawer:4"));
  CHECK_THROWS_AS(machine(""), std::invalid_argument);
}

TEST_CASE("modelled machine: has at most 512 cores and 64 shared caches", "[modelled]") {
  CHECK(machine("l3:64 core:8 pu:1").cores().size() == 512);
  CHECK_THROWS_AS(machine("l3:1 core:513 pu:1"), std::invalid_argument);
  CHECK_THROWS_WITH(machine("l3:1 core:513 pu:1"), Contains("at most 512 cores") && Contains("core:513"));
  CHECK_THROWS_WITH(machine("l3:65 core:1 pu:1"), Contains("64 shared caches"));
}

TEST_CASE("modelled machine: a set of cores holds what was added and not removed", "[modelled]") {
  core_set set;
  CHECK(set.is_empty());
  for (const unsigned core : {0u, 63u, 64u, 511u}) set.add(core);
  set.add(64);
  CHECK(set.count() == 4);
  set.remove(63);
  set.remove(62);
  CHECK(!set.has(63));
  std::string all;
  set.for_each([&](unsigned core) { all += std::to_string(core) + " "; });
  CHECK(all == "0 64 511 ");
}

}  // namespace modelled_machine_test
