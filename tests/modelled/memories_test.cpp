// On which memory of a modelled machine a page lies, and what it costs to reach it from each package.
#include <vector>

#include "modelled/memory_fixture.hpp"
#include "support/catch.hpp"

namespace memories_test {

namespace {

using namespace tact::modelled_tests;

constexpr std::uintptr_t a = 0x10'0000;
constexpr std::size_t page = memory_fixture::page_bytes;
const double near_ns = bare_costs().memory;
const double far_ns = bare_costs().other_memory;

}  // namespace

TEST_CASE("memory: a page lies on the memory near to the core that touches it first", "[modelled]") {
  memory_fixture m;
  for (const unsigned core : {0u, 3u, 4u, 7u}) {
    CHECK(m.read(core, a + core * page) == near_ns);
    CHECK(m.read(core < 4 ? 5 : 1, a + core * page + 1024) == far_ns);
    CHECK(m.read(core ^ 2, a + core * page + 2048) == near_ns);
  }
  CHECK(m.whole().pages_by_node() == std::vector<std::uint64_t>{2, 2});
}

TEST_CASE("memory: interleaved pages lie on the memories in turn, whoever touches them", "[modelled]") {
  const unsigned core = GENERATE(0u, 3u, 4u, 7u);
  const bool backwards = GENERATE(false, true);
  memory_fixture m;
  m.interleave(a, 8);
  for (std::size_t n = 0; n < 8; ++n) {
    const std::size_t i = backwards ? 7 - n : n;
    CHECK(m.read(core, a + i * page) == ((i % 2 == 0) == (core < 4) ? near_ns : far_ns));
  }
  CHECK(m.came(source::memory) == 4);
  CHECK(m.came(source::other_memory) == 4);
  CHECK(m.whole().pages_by_node() == std::vector<std::uint64_t>{4, 4});
}

TEST_CASE("memory: with four memories each has every fourth of the interleaved pages", "[modelled]") {
  memory_fixture m(bare_costs(), "package:2 numa:2 l3:1 core:2 pu:1");
  m.interleave(a, 10);
  for (std::size_t i = 0; i < 10; ++i) m.read(0, a + i * page);
  CHECK(m.whole().pages_by_node() == std::vector<std::uint64_t>{3, 3, 2, 2});
  CHECK(m.came(source::memory) == 3);
}

TEST_CASE("memory: pages beside a range that is interleaved lie where they are touched", "[modelled]") {
  memory_fixture m;
  m.interleave(a, 2);
  CHECK(m.read(4, a - page) == near_ns);
  CHECK(m.read(4, a) == far_ns);
  CHECK(m.read(4, a + page) == near_ns);
  CHECK(m.read(4, a + 2 * page) == near_ns);
}

TEST_CASE("memory: a page that was touched before it is interleaved stays where it lies", "[modelled]") {
  memory_fixture m;
  m.read(4, a);
  m.interleave(a, 2);
  CHECK(m.read(5, a + 1024) == near_ns);
  CHECK(m.read(4, a + page) == near_ns);
  CHECK(m.whole().pages_by_node() == std::vector<std::uint64_t>{0, 2});
}

TEST_CASE("memory: on a machine with one memory all pages are near, interleaved or not", "[modelled]") {
  memory_fixture m(bare_costs(), "l3:2 core:2 pu:1");
  m.interleave(a, 4);
  for (std::size_t i = 0; i < 8; ++i) CHECK(m.read(i % 4, a + i * page) == near_ns);
  CHECK(m.came(source::other_memory) == 0);
  CHECK(m.whole().pages_by_node() == std::vector<std::uint64_t>{8});
}

TEST_CASE("memory: lines are counted by the memory that they come from, while it is counted", "[modelled]") {
  memory_fixture m;
  m.interleave(a, 4);
  for (std::size_t i = 0; i < 3; ++i) m.read(4, a + i * page);
  m.fetch(0, a + page + 64);
  m.read(1, a + page + 64);  // it is in the shared cache, and comes from no memory
  auto& counted = m.whole().costs_so_far();
  CHECK((counted.by_node[0] == 2 && counted.by_node[1] == 2));
  counted.counting = false;
  m.read(0, a + 3 * page);
  CHECK(counted.by_node[1] == 2);
  counted.clear();
  CHECK((counted.by_node[0] == 0 && counted.by_node[1] == 0));
}

}  // namespace memories_test
