// Events never lie: the trace of a random program tells what the program did.
#include "inspect/recorded_ground.hpp"
#include "support/catch.hpp"
#include "support/seed.hpp"

using namespace tact::model;

TEST_CASE("trace: of random programs on real threads it tells what they did", "[model]") {
  TACT_SEEDED(seed);
  judged sum;
  hunt(recorded_on_threads(sum), seed, false);
  say(sum);
}

TEST_CASE("trace: of an engine that is cancelled it tells what was done until then", "[model]") {
  TACT_SEEDED(seed);
  judged sum;
  hunt(recorded_on_threads(sum), seed, true);
  say(sum);
}
