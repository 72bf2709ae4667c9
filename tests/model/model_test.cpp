// Random programs on real engines and in the reference model: whatever they do, the laws hold.
#include <iostream>

#include "model/generator.hpp"
#include "model/hunt.hpp"
#include "model/laws.hpp"
#include "model/sequence.hpp"
#include "support/engine_fixture.hpp"

namespace {

using namespace tact::model;
using namespace tact::support;

}  // namespace

TEST_CASE("model: all laws hold for random programs on real threads", "[model]") {
  TACT_SEEDED(seed);
  const coverage sum = hunt(on_real_threads(), seed, false);
  if (sum.plays < 1'000) return;
  CHECK(sum.failures != 0);
  CHECK(sum.dead != 0);
  CHECK(sum.collisions != 0);
}

TEST_CASE("model: what a cancelled engine did until then keeps the laws, and whoever asked has heard", "[model]") {
  TACT_SEEDED(seed);
  hunt(on_real_threads(), seed, true);
}

TEST_CASE("model: what the reference model does is what the laws allow", "[model]") {
  TACT_SEEDED(seed);
  ground in_sequence;
  in_sequence.play = [](const program& p, std::uint64_t order, mistake, std::string*) {
    return play_in_sequence(p, order);
  };
  in_sequence.has_seed = true;
  hunt(in_sequence, seed, false);
}
