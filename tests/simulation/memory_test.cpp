// Whichever piece of memory the library asks for is refused, in a simulation: there nothing is kept in pools, so each
// block and each chunk is asked for, and a seed repeats it. docs/out_of_memory.md.
#include "scarce_memory/town.hpp"

namespace memory_test {

using namespace tact::memory_tests;

namespace {

// False: there was no such piece.
bool survives(std::uint64_t seed, std::uint64_t nth) {
  attempts attempt;
  auto options = quiet_options(2);
  options.blocking_max = 4;
  tact::simulation sim(seed);
  {
    tact::engine& one = sim.engine(options);
    tact::engine other(options);
    sim.fail_allocation(nth);
    use_everything(one, other, attempt, [&] { sim.run(); });
    for (int i = 0; i < 3; ++i) {  // each may send to the other
      one.wait_idle();
      other.wait_idle();
    }
    require_accounted(one);
    require_accounted(other);
  }
  sim.end();
  return sim.has_failed_allocation();
}

}  // namespace

TEST_CASE("simulation: whichever piece of memory is refused, every message is accounted for, and nothing is left",
          "[law4][law8][law11]") {
  TACT_SEEDED(seed);
  for (std::uint64_t s = seed; s < seed + static_cast<std::uint64_t>(scaled(30)); ++s) {
    std::uint64_t nth = 1;
    for (bool refused = true; refused; ++nth) {
      INFO("piece of memory number " << nth << ", seed=" << s);
      const nothing_left left;
      refused = survives(s, nth);
    }
    CHECK(nth > 150);
  }
}

}  // namespace memory_test
