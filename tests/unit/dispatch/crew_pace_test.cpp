// How often a worker looks at the crew.
#include "dispatch/crew_pace.hpp"

#include <cstdint>

#include "support/catch.hpp"

namespace crew_pace_test {

namespace {

using tact::dispatch::crew_pace;

// After how many runs of so many messages it looks: the second time, because the first run is always followed by one.
unsigned runs_between_looks(std::uint64_t messages, bool is_slow = false) {
  crew_pace pace;
  std::uint64_t handled = messages;
  REQUIRE(pace.is_due(handled, is_slow));
  for (unsigned runs = 1;; ++runs) {
    handled += messages;
    if (pace.is_due(handled, is_slow)) return runs;
  }
}

}  // namespace

TEST_CASE("crew pace: a worker looks after each sixteenth run, however short", "[dispatch]") {
  CHECK(runs_between_looks(0) == crew_pace::runs_per_look);
  CHECK(runs_between_looks(1) == crew_pace::runs_per_look);
  CHECK(runs_between_looks(15) == crew_pace::runs_per_look);
}

TEST_CASE("crew pace: after long runs a worker looks sooner, so that what it handles counts", "[dispatch]") {
  CHECK(runs_between_looks(64) == 4);
  CHECK(runs_between_looks(crew_pace::messages_per_look) == 1);
  CHECK(runs_between_looks(100'000) == 1);
}

TEST_CASE("crew pace: while handlers take long a worker looks after each run", "[dispatch]") {
  CHECK(runs_between_looks(1, true) == 1);
}

}  // namespace crew_pace_test
