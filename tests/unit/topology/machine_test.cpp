// What the machine offers.
#include "topology/machine.hpp"

#include <sched.h>

#include "support/catch.hpp"

TEST_CASE("machine: counts the processing units that this process may use", "[topology]") {
  const unsigned units = tact::topology::usable_processing_units();
  CHECK(units >= 1);
  cpu_set_t mask;
  REQUIRE(::sched_getaffinity(0, sizeof mask, &mask) == 0);
  CHECK(units <= static_cast<unsigned>(CPU_COUNT(&mask)));
  CHECK(tact::topology::usable_processing_units() == units);
}
