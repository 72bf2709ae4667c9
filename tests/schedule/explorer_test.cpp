// The explorer itself: what it must find, what it must not imagine, and that a seed repeats an execution.
#include "tools/explorer/explorer.hpp"

#include "schedule/small_scenarios.hpp"

namespace explorer_test {

namespace {

using namespace tact;
using namespace tact::schedule;

template <class Scenario>
explorer::result explore(explorer::options o = {}) {
  o.schedules = 20'000;
  o.step_limit = 2'000;
  return explorer::explore(o, [] { return std::make_unique<Scenario>(); });
}

}  // namespace

TEST_CASE("explorer: finds what store buffers break, and nothing when the operations are seq_cst", "[explorer]") {
  REQUIRE(explore<relaxed_flags>().text == "both saw nothing");
  REQUIRE(explore<strict_flags>().failures == 0);
  REQUIRE(explore<in_order>().failures == 0);
}

TEST_CASE("explorer: finds lost updates, which a mutex prevents", "[explorer]") {
  REQUIRE(explore<unlocked_count>().text == "an increment is lost");
  REQUIRE(explore<locked_count>().failures == 0);
}

TEST_CASE("explorer: names deadlock, livelock and exceptions", "[explorer]") {
  REQUIRE(explore<embrace>().text.rfind("deadlock", 0) == 0);
  REQUIRE(explore<endless>().text.rfind("livelock", 0) == 0);
  REQUIRE(explore<throwing>().text == "a thread of the scenario threw");
  REQUIRE(explore<spinning>().failures == 0);
}

TEST_CASE("explorer: a failing seed fails again, with the same number of steps", "[explorer][law12]") {
  const explorer::result first = explore<unlocked_count>();
  explorer::options again;
  again.seed = first.first_failing_seed;
  again.schedules = 1;
  const auto repeat = [&] { return explorer::explore(again, [] { return std::make_unique<unlocked_count>(); }); };
  const explorer::result second = repeat(), third = repeat();
  REQUIRE(second.failures == 1);
  REQUIRE(second.text == first.text);
  REQUIRE(second.steps == third.steps);
}

TEST_CASE("explorer: goes on after a failure when asked to", "[explorer]") {
  explorer::options o;
  o.stop_at_failure = false;
  const explorer::result r = explore<unlocked_count>(o);
  REQUIRE(r.schedules == 20'000);
  REQUIRE(r.failures > 1);
  REQUIRE(r.failures < r.schedules);
}

TEST_CASE("explorer: tells the operations of a failure", "[explorer]") {
  const explorer::result r = explore<unlocked_count>();
  REQUIRE(r.trace.find("thread 0: load w0 0") != std::string::npos);
  REQUIRE(r.trace.find("thread 1: store w0 1") != std::string::npos);
}

}  // namespace explorer_test
