// How long a modelled core waits for a line that others want too, that follows the one before, or that it has fetched.
#include "modelled/memory_fixture.hpp"
#include "support/catch.hpp"

namespace waits_test {

namespace {

using namespace tact::modelled_tests;

constexpr std::uintptr_t a = 0x10'0000;
constexpr std::uintptr_t line = memory_fixture::line_bytes;

}  // namespace

TEST_CASE("model: cores that want to write a line at the same time wait for each other", "[modelled]") {
  tact::model_costs costs = bare_costs();
  costs.hop = 40;
  memory_fixture m(costs);
  m.write(0, a, 0);
  CHECK(m.write(1, a, 1000) == costs.same_l3);
  // The line stays where it is for the hop, and for half of a way that takes longer than that.
  CHECK(m.write(2, a, 1000) == costs.hop + costs.same_package);
  CHECK(m.write(4, a, 1000) == costs.hop + costs.same_package / 2 + costs.other_package);
  CHECK(m.write(0, a, 5000) == costs.other_package);
}

TEST_CASE("model: cores that only read a line do not wait for each other", "[modelled]") {
  tact::model_costs costs = bare_costs();
  costs.hop = 40;
  memory_fixture m(costs);
  m.write(0, a, 0);
  CHECK(m.read(2, a, 1000) == costs.same_package);
  for (const unsigned core : {1u, 3u}) CHECK(m.read(core, a, 2000) == costs.l3);
  CHECK(m.read(4, a, 2000) == costs.other_package);
  CHECK(m.read(6, a, 2000) == costs.same_package);
}

TEST_CASE("model: an update waits all of a way, a plain store a part, a read what is left when its window is over",
          "[modelled]") {
  tact::model_costs costs = bare_costs();
  costs.stores_waited = 0.25;
  costs.window = 20;
  const auto [how, cost] = GENERATE_COPY(table<use, double>(
      {{use::update, costs.same_package}, {use::write, costs.same_package / 4}, {use::read, costs.same_package - 15}}));
  memory_fixture m(costs);
  m.write(0, a);
  CHECK(m.access(2, a, how) == cost);
}

TEST_CASE("model: accesses that go on behind the one before wait a part", "[modelled]") {
  tact::model_costs costs = bare_costs();
  costs.streams_waited = 0.25;
  const auto how = GENERATE(use::read, use::write);
  memory_fixture m(costs);
  CHECK(m.access(0, a, how) == costs.memory);
  CHECK(m.access(0, a + line, how) == costs.memory / 4);
  CHECK(m.access(0, a + 3 * line, how) == costs.memory / 4);
  CHECK(m.access(0, a + 6 * line, how) == costs.memory);
}

TEST_CASE("model: a core follows eight streams at a time, each core its own", "[modelled]") {
  tact::model_costs costs = bare_costs();
  costs.streams_waited = 0.25;
  memory_fixture m(costs);
  for (unsigned s = 0; s < 8; ++s) m.read(0, a + s * 8 * line);
  for (unsigned s = 0; s < 8; ++s) CHECK(m.read(0, a + (s * 8 + 1) * line) == costs.memory / 4);
  CHECK(m.read(1, a + 2 * line) == costs.memory);
}

TEST_CASE("model: what is left of a fetch is waited", "[modelled]") {
  const tact::model_costs costs = bare_costs();
  const auto [later, rest] =
      GENERATE_COPY(table<double, double>({{0, costs.memory}, {60, costs.memory - 60}, {500, costs.l2}}));
  const auto how = GENERATE(use::read, use::write);
  memory_fixture m;
  m.fetch(0, a, 1000);
  CHECK(m.came(source::memory) == 1);
  CHECK(m.access(0, a, how, 1000 + later) == rest);
  CHECK(m.access(0, a, how, 1000 + later) == 0);
  CHECK(m.whole().is_consistent());
}

TEST_CASE("model: a fetch of a line that is there costs nothing and changes nothing", "[modelled]") {
  memory_fixture m;
  m.write(0, a);
  m.fetch(0, a, 1000);
  CHECK(m.write(0, a, 1000) == 0);
}

TEST_CASE("model: a fetch takes a line from its owner as a read does", "[modelled]") {
  memory_fixture m;
  m.write(0, a, 0);
  m.fetch(2, a, 1000);
  CHECK(m.came(source::same_package) == 1);
  CHECK(!m.whole().has(0, a, use::write));
  CHECK(m.read(2, a, 1100) == 10);
}

TEST_CASE("model: a fetch to write takes a line from all other cores", "[modelled]") {
  const tact::model_costs costs = bare_costs();
  memory_fixture m;
  m.write(0, a, 0);
  m.read(1, a, 500);
  m.fetch(2, a, 1000, use::write);
  CHECK(!m.whole().has(0, a, use::read));
  CHECK(!m.whole().has(1, a, use::read));
  CHECK(m.write(2, a, 1000 + costs.same_package - 10) == 10);
  CHECK(m.write(2, a, 2000) == 0);
  CHECK(m.whole().is_consistent());
}

TEST_CASE("model: a fetch to write of a line that its core owns changes nothing", "[modelled]") {
  memory_fixture m;
  m.write(0, a);
  m.fetch(0, a, 1000, use::write);
  CHECK(m.write(0, a, 1000) == 0);
}

TEST_CASE("model: no more fetches than the core can have are on their way; the next one begins as one arrives",
          "[modelled]") {
  tact::model_costs costs = bare_costs();
  costs.fetches_max = 2;
  memory_fixture m(costs);
  for (unsigned i = 0; i < 3; ++i) m.fetch(0, a + i * 8 * line, 1000);
  CHECK(m.read(0, a + 16 * line, 1000) == 2 * costs.memory);
  CHECK(m.read(0, a + 8 * line, 1000) == costs.memory);
}

}  // namespace waits_test
