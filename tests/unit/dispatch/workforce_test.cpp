// Which workers count as idle when their number changes. No thread runs here.
#include "dispatch/workers/workforce.hpp"

#include "dispatch/dispatcher.hpp"
#include "support/catch.hpp"
#include "topology/plan.hpp"

namespace workforce_test {

namespace {

using namespace tact;

struct idle_dispatcher : dispatch::dispatcher {
  explicit idle_dispatcher(unsigned workers)
      : dispatch::dispatcher(topology::plan(workers), {8 * workers, 0, 0}, &longest_victim) {}
};

}  // namespace

// If they said so themselves when they wake, a thread outside could send to a busy worker meanwhile.
TEST_CASE("workforce: workers that rest no more are known as idle at once, before they wake", "[dispatch]") {
  const unsigned workers = GENERATE(2u, 4u, 65u);
  INFO("workers=" << workers);
  idle_dispatcher d(workers);
  auto& idle = d.waker().idle();
  for (unsigned i = 0; i < workers; ++i) idle.remove(i);  // as if all others rested, and the first one were busy
  REQUIRE(d.run_only(1));
  CHECK(idle.count() == 0);
  REQUIRE(d.run_only(workers));
  CHECK(idle.count() == workers - 1);
  for (unsigned i = 1; i < workers; ++i) CHECK(idle.has(i));
}

}  // namespace workforce_test
