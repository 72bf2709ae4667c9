// Events never lie: the trace of a random program in a simulation tells what it did.
#include "inspect/recorded_ground.hpp"
#include "support/catch.hpp"
#include "support/seed.hpp"

using namespace tact::model;

TEST_CASE("trace: of random programs in simulations it tells what they did, in its order", "[model]") {
  TACT_SEEDED(seed);
  judged sum;
  hunt(recorded_in_simulations(sum), seed, false);
  say(sum);
}

TEST_CASE("trace: of a simulated engine that is cancelled it tells what was done until then", "[model]") {
  TACT_SEEDED(seed);
  judged sum;
  hunt(recorded_in_simulations(sum), seed, true);
  say(sum);
}
