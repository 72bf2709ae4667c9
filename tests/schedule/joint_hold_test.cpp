// Joint holds under every kind of schedule: workers that run several shards from one lane, among owners, thieves and
// other senders.
#include "schedule/two_senders.hpp"

namespace joint_hold_test {

namespace {

using namespace tact;
using namespace tact::schedule;

// Letters go round over three shards of two workers, which hold together what they can; a sender outside brings more.
using joint_staff = joining<two_senders<3, 4, 2>>;
using joint_withholders = withholding<joint_staff>;
using joint_thieves = stealing<joint_withholders>;
// Every handler writes to both other shards.
using joint_writers = stealing<withholding<joining<two_senders<3, 2, 1, 2>>>>;
using joint_aborters = aborting<joint_writers>;

}  // namespace

TEST_CASE("joint hold: order is kept when each handler writes to several shards", "[dispatch][schedule]") {
  support::require_holds<joint_writers>();
}

TEST_CASE("joint hold: order is kept when runs come to nothing", "[dispatch][schedule]") {
  support::require_holds<joint_aborters>();
}

TEST_CASE("joint hold: one holder, order per sender, nobody sleeps through a letter", "[dispatch][schedule]") {
  support::require_holds<joint_staff>();
}

TEST_CASE("joint hold: nobody sleeps through a letter that a worker keeps for a sleeper", "[dispatch][schedule]") {
  support::require_holds<joint_withholders>();
}

TEST_CASE("joint hold: order is kept while shards are stolen", "[dispatch][schedule]") {
  support::require_holds<joint_thieves>();
}

TEST_CASE("joint hold: in every schedule with few preemptions there is one holder, and order per sender",
          "[dispatch][schedule][exhaustive]") {
  TACT_REQUIRE_ALL_HOLD(1, 0, joint_staff);
  TACT_REQUIRE_ALL_HOLD(1, 0, joint_thieves);
  TACT_REQUIRE_ALL_HOLD(1, 0, joint_writers);
  TACT_REQUIRE_ALL_HOLD(1, 0, joint_aborters);
}

TEST_CASE("joint hold: planted faults are found", "[dispatch][schedule]") {
  TACT_REQUIRE_FOUND(join_past_outbox, joint_staff);
  TACT_REQUIRE_FOUND_WITHIN(1, 0, join_past_outbox, joint_staff);
  TACT_REQUIRE_FOUND(join_without_look, joint_writers);
  TACT_REQUIRE_FOUND(join_past_outbox, joint_writers);
  TACT_REQUIRE_FOUND_WITHIN(1, 0, join_past_outbox, joint_writers);
  TACT_REQUIRE_FOUND(words_last, joint_writers);
  TACT_REQUIRE_FOUND_WITHIN(2, 0, words_last, joint_writers);
  TACT_REQUIRE_FOUND(words_last, joint_staff);
  TACT_REQUIRE_FOUND(words_last, joint_withholders);
  TACT_REQUIRE_FOUND(tail_left_behind, joint_staff);
  TACT_REQUIRE_FOUND(tail_left_behind, joint_writers);
  TACT_REQUIRE_FOUND(separate_forgets, joint_staff);
  TACT_REQUIRE_FOUND_WITHIN(0, 0, separate_forgets, joint_staff);
  TACT_REQUIRE_FOUND(rest_not_announced, joint_withholders);
  TACT_REQUIRE_FOUND_WITHIN(0, 0, rest_not_announced, joint_withholders);
}

}  // namespace joint_hold_test
