// Which engines keep their workers on their seats, on machines that are not here, and where the system refuses it.
#include "actors/common/seating.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "actors/engine/options.hpp"
#include "support/captured_stderr.hpp"
#include "support/catch.hpp"
#include "support/still_machine.hpp"

namespace seating_test {

namespace {

using tact::pinning;
using tact::actors::seating;
using tact::support::still_machine;

tact::engine_options wish(pinning how, unsigned workers, unsigned workers_max = 0) {
  tact::engine_options o;
  o.workers = workers;
  o.workers_max = workers_max;
  o.pin_workers = how;
  return tact::actors::completed(o);
}

const std::string two_packages = "package:2 l3:2 core:2 pu:1";  // 8 units

bool is_pinned(pinning how, unsigned workers, unsigned workers_max = 0) {
  return seating(wish(how, workers, workers_max)).plan().pinned;
}

// The system refuses one processing unit, as it does when that is offline.
unsigned gone = 0;
bool bind_unless_gone(const tact::seat& at) noexcept { return at.processing_unit != gone; }
bool refuse_all(const tact::seat&) noexcept { return false; }

}  // namespace

TEST_CASE("seating: workers stay where the options say it, and move where they do not", "[actor]") {
  const still_machine there(GENERATE(as<std::string>{}, two_packages, "core:1 pu:1", "l3:1 core:8 pu:1"));
  for (const unsigned workers : {1u, 2u, 8u, 9u}) {
    CHECK(is_pinned(pinning::on, workers));
    CHECK_FALSE(is_pinned(pinning::off, workers));
  }
}

TEST_CASE("seating: an engine that decides itself pins as many workers as there may be, if each has a unit",
          "[actor]") {
  const still_machine there(two_packages);
  CHECK_FALSE(is_pinned(pinning::automatic, 1));
  CHECK(is_pinned(pinning::automatic, 2));
  CHECK(is_pinned(pinning::automatic, 8));
  CHECK(is_pinned(pinning::automatic, tact::all_units));
  CHECK(is_pinned(pinning::automatic, 1, 8));
  CHECK_FALSE(is_pinned(pinning::automatic, 9));
  CHECK_FALSE(is_pinned(pinning::automatic, 2, 9));
  CHECK_FALSE(is_pinned(pinning::automatic, 0));
}

TEST_CASE("seating: an engine that decides itself pins nothing where all cores are equally near", "[actor]") {
  const still_machine there("package:1 l3:1 core:8 pu:1");
  for (const unsigned workers : {1u, 2u, 8u}) CHECK_FALSE(is_pinned(pinning::automatic, workers));
}

TEST_CASE("seating: an engine that decides itself pins nothing beside another one with pinned workers", "[actor]") {
  const still_machine there(two_packages);
  {
    const seating first(wish(pinning::automatic, 2));
    CHECK(first.plan().pinned);
    CHECK_FALSE(is_pinned(pinning::automatic, 2));
    CHECK(is_pinned(pinning::on, 2));
  }
  {
    const seating free(wish(pinning::off, 2));
    const seating wanted(wish(pinning::on, 2));
    CHECK_FALSE(is_pinned(pinning::automatic, 2));
  }
  // All of them have ended.
  CHECK(is_pinned(pinning::automatic, 2));
  CHECK(is_pinned(pinning::automatic, 2));
}

TEST_CASE("seating: an engine that could not be made stands in no other one's way", "[actor]") {
  const still_machine there("desk:2 drawer:4");
  CHECK_THROWS_AS(is_pinned(pinning::on, 2), std::invalid_argument);
  CHECK(there.engines_pinned == 0);
}

TEST_CASE("seating: the workers of an engine that decides itself sit next to each other, in their order", "[actor]") {
  still_machine there(two_packages);
  seating made(wish(pinning::automatic, 4));
  REQUIRE(made.plan().pinned);
  CHECK(made.plan().distance(0, 1) == 1);
  CHECK(made.plan().distance(1, 2) > 1);
  CHECK(made.plan().distance(2, 3) == 1);
  for (const auto& s : made.plan().seats) CHECK(s.package == 0);
  for (unsigned worker = 0; worker < 4; ++worker) {
    CHECK(made.count_pinned(4) == worker);
    made.sit_down(worker);
    CHECK(there.stays_on == static_cast<int>(made.plan().seats[worker].processing_unit));
  }
  CHECK(made.count_pinned(4) == 4);
  made.sit_nowhere();
  CHECK(there.stays_on == -1);
}

TEST_CASE("seating: in a simulation no worker is pinned, whatever the options say", "[actor]") {
  const still_machine there("");
  for (const auto how : {pinning::off, pinning::on, pinning::automatic}) CHECK_FALSE(is_pinned(how, 2));
}

TEST_CASE("seating: a worker whose processing unit is gone moves, and the others stay", "[actor]") {
  const std::string said = tact::support::captured_stderr([] {
    seating made(wish(pinning::on, 3), &bind_unless_gone);
    gone = made.plan().seats[1].processing_unit;
    const unsigned there = static_cast<unsigned>(
        std::count_if(made.plan().seats.begin(), made.plan().seats.end(), [](auto& s) { return bind_unless_gone(s); }));
    for (unsigned worker = 0; worker < 3; ++worker) {
      made.sit_down(worker);
      CHECK(made.is_pinned(worker) == bind_unless_gone(made.plan().seats[worker]));
    }
    CHECK_FALSE(made.is_pinned(1));
    CHECK(made.count_pinned(3) == there);
    CHECK(made.count_pinned(1) == (bind_unless_gone(made.plan().seats[0]) ? 1 : 0));
  });
  CHECK_THAT(said, Catch::Matchers::Contains("engine_options.pin_workers"));
  CHECK(std::count(said.begin(), said.end(), '\n') == 1);
}

TEST_CASE("seating: a worker that comes again is counted by what the system says then", "[actor]") {
  const std::string said = tact::support::captured_stderr([] {
    seating made(wish(pinning::on, 2), &bind_unless_gone);
    gone = ~0u;
    made.sit_down(1);
    CHECK(made.count_pinned(2) == 1);
    gone = made.plan().seats[1].processing_unit;
    made.sit_down(1);
    CHECK(made.count_pinned(2) == 0);
    gone = ~0u;
    made.sit_down(1);
    CHECK(made.count_pinned(2) == 1);
  });
  CHECK(std::count(said.begin(), said.end(), '\n') == 1);
}

TEST_CASE("seating: where the system refuses all, it is said once, and only if it was asked for", "[actor]") {
  const std::string said = tact::support::captured_stderr([] {
    for (const auto how : {pinning::off, pinning::on, pinning::automatic}) {
      seating made(wish(how, 2), &refuse_all);
      for (const unsigned worker : {0u, 1u, 0u}) made.sit_down(worker);
      CHECK(made.count_pinned(2) == 0);
    }
  });
  CHECK(std::count(said.begin(), said.end(), '\n') == 1);
}

}  // namespace seating_test
