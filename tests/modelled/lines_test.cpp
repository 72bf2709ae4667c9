// Where a modelled core gets a line from, what that costs, and who has the line then.
#include "modelled/memory_fixture.hpp"
#include "support/catch.hpp"

namespace lines_test {

namespace {

using namespace tact::modelled_tests;

constexpr std::uintptr_t a = 0x10'0000;

// Fills the caches of the core with other lines, as many as it has, each from a page of its own where `apart`.
void fill(memory_fixture& m, unsigned core, unsigned lines, std::uintptr_t from) {
  for (unsigned i = 0; i < lines; ++i) m.read(core, from + i * memory_fixture::line_bytes);
}

constexpr std::uintptr_t elsewhere = 0x100'0000;

}  // namespace

TEST_CASE("model: a line that another core has written costs what lies between the two", "[modelled]") {
  const auto [core, from] = GENERATE(table<unsigned, source>({{1, source::same_l3},
                                                              {2, source::same_package},
                                                              {3, source::same_package},
                                                              {4, source::other_package},
                                                              {7, source::other_package}}));
  const auto how = GENERATE(use::read, use::write, use::update);
  const tact::model_costs costs = bare_costs();
  memory_fixture m;
  m.write(0, a);
  const double cost = from == source::same_l3        ? costs.same_l3
                      : from == source::same_package ? costs.same_package
                                                     : costs.other_package;
  CHECK(m.access(core, a, how) == cost);
  CHECK(m.came(from) == 1);
}

TEST_CASE("model: a line that no core has had comes from the memory that its page is near to", "[modelled]") {
  memory_fixture m;
  CHECK(m.read(0, a) == bare_costs().memory);
  CHECK(m.read(2, a + 1024) == bare_costs().memory);
  CHECK(m.came(source::memory) == 2);
  CHECK(m.read(4, a + 2048) == bare_costs().other_memory);
  CHECK(m.came(source::other_memory) == 1);
}

TEST_CASE("model: the first touch of a page costs a fault besides", "[modelled]") {
  tact::model_costs costs = bare_costs();
  costs.fault = 250;
  memory_fixture m(costs);
  CHECK(m.read(0, a) == costs.memory + 250);
  CHECK(m.read(1, a + 1024) == costs.memory);
  CHECK(m.whole().pages_touched() == 1);
}

TEST_CASE("model: a line that a core has costs it nothing, until another line takes its place", "[modelled]") {
  memory_fixture m;
  m.read(0, a);
  CHECK(m.read(0, a + 63) == 0);
  fill(m, 0, 512, elsewhere);  // the first-level cache has 512 lines
  CHECK(m.read(0, a) == bare_costs().l2);
  CHECK(m.came(source::l2) == 1);
  CHECK(m.read(0, a) == 0);
}

TEST_CASE("model: a line that falls out of a core's cache goes to the shared one, and costs less from there",
          "[modelled]") {
  tact::model_costs costs = bare_costs();
  costs.l2_kib = 64;
  memory_fixture m(costs);
  m.write(0, a);
  fill(m, 0, 2048, elsewhere);
  CHECK(m.whole().is_consistent());
  CHECK(m.read(0, a) == costs.l3);
  fill(m, 0, 2048, elsewhere);
  CHECK(m.read(1, a) == costs.l3);
  CHECK(m.came(source::l3) >= 2);
}

TEST_CASE("model: a line in a shared cache costs the cores of others what lies between", "[modelled]") {
  tact::model_costs costs = bare_costs();
  costs.l2_kib = 64;
  const auto [core, cost] = GENERATE_COPY(table<unsigned, double>({{2, costs.same_package}, {4, costs.other_package}}));
  memory_fixture m(costs);
  m.write(0, a);
  fill(m, 0, 2048, elsewhere);
  CHECK(m.read(core, a) == cost);
}

TEST_CASE("model: a line that falls out of the shared cache is in memory again", "[modelled]") {
  tact::model_costs costs = bare_costs();
  costs.l2_kib = 64;
  costs.l3_kib = 64;
  memory_fixture m(costs);
  m.write(0, a);
  fill(m, 0, 4096, elsewhere);
  CHECK(m.read(1, a) == costs.memory);
  CHECK(m.whole().is_consistent());
}

TEST_CASE("model: a second write by the same core costs nothing", "[modelled]") {
  const auto first = GENERATE(use::read, use::write, use::update);
  memory_fixture m;
  m.access(3, a, first);
  CHECK(m.write(3, a) == 0);
  CHECK(m.access(3, a, use::update) == 0);
  CHECK(m.read(3, a) == 0);
}

TEST_CASE("model: a reader makes the owner share, which must ask again before it writes", "[modelled]") {
  memory_fixture m;
  m.write(0, a);
  m.read(2, a);
  CHECK(m.read(0, a) == 0);
  CHECK(m.write(0, a) == bare_costs().same_package);
  CHECK(m.read(2, a) == bare_costs().same_package);
  CHECK(m.whole().is_consistent());
}

TEST_CASE("model: a writer waits for the farthest core that has the line", "[modelled]") {
  memory_fixture m;
  for (const unsigned core : {1u, 2u, 4u}) m.read(core, a);
  CHECK(m.write(0, a) == bare_costs().other_package);
  for (const unsigned core : {1u, 2u, 4u}) CHECK(!m.whole().has(core, a, use::read));
}

TEST_CASE("model: readers get a shared line from the nearest cache that has it", "[modelled]") {
  memory_fixture m;
  m.write(4, a);
  CHECK(m.read(0, a) == bare_costs().other_package);
  CHECK(m.read(1, a) == bare_costs().l3);
  CHECK(m.read(5, a) == bare_costs().l3);
}

TEST_CASE("model: what has been written is not taken from memory while a cache has it", "[modelled]") {
  tact::model_costs costs = bare_costs();
  costs.memory = costs.other_memory = 1;
  const bool reads_first = GENERATE(false, true);
  memory_fixture m(costs);
  if (reads_first) m.read(0, a);
  m.write(0, a);
  m.read(1, a);
  CHECK(m.read(4, a) == costs.other_package);
}

}  // namespace lines_test
