// The victim policies, without an engine.
#include <cstdint>
#include <set>
#include <vector>

#include "support/catch.hpp"
#include "tact/stealing.hpp"

namespace victims_test {

using tact::placement_plan;
using tact::steal_view;

constexpr std::uint64_t none = steal_view::no_stamp;

// The thief is worker 0. Worker 1 has another core, 2 and 3 another cache, 4 another package.
struct view {
  placement_plan plan{};
  std::vector<std::uint64_t> stamps{};
  std::vector<std::uint8_t> distances{0, 1, 2, 2, 4};

  // The workers that the policy returns for many random numbers.
  [[nodiscard]] std::set<unsigned> nearest(unsigned failures) const {
    std::set<unsigned> found;
    for (std::uint64_t random = 0; random < 100; ++random)
      if (const auto victim = tact::nearest_victim({0, stamps, plan, random, distances, failures}))
        found.insert(*victim);
    return found;
  }
};

TEST_CASE("nearest victim: of the nearest workers that run something the one that has run the longest", "[dispatch]") {
  const view all{.stamps = {none, 10, 6, 5, 7}};
  CHECK(all.nearest(0) == std::set{1U});
}

TEST_CASE("nearest victim: after failures by turns the one that has run the longest of all, and farther ones; then any",
          "[dispatch]") {
  const view all{.stamps = {none, 10, 9, 8, 7}};
  CHECK(all.nearest(2) == std::set{3U});
  CHECK(all.nearest(4) == std::set{4U});
  for (const unsigned failures : {1U, 3U, 5U, 7U, 1001U}) CHECK(all.nearest(failures) == std::set{4U});
  for (const unsigned failures : {6U, 8U, 1000U}) CHECK(all.nearest(failures) == std::set{1U, 2U, 3U, 4U});
}

TEST_CASE("nearest victim: a distance at which no worker runs anything does not count", "[dispatch]") {
  const view some{.stamps = {none, none, none, 9, 10}};
  CHECK(some.nearest(0) == std::set{3U});
  CHECK(some.nearest(2) == std::set{4U});
  CHECK(some.nearest(4) == std::set{3U, 4U});
}

TEST_CASE("nearest victim: there is none while no other worker runs anything", "[dispatch]") {
  const view idle{.stamps = {5, none, none, none, none}};
  CHECK(idle.nearest(0).empty());
  CHECK(idle.nearest(9).empty());
}

}  // namespace victims_test
