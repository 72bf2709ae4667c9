// Joint holds under every kind of schedule: workers that run several shards from one lane, among owners, thieves and
// other senders.
#include "schedule/staff.hpp"

namespace {

using namespace tact;
using schedule::staff;

// Letters go round over three shards of two workers, who hold together what they can; a sender outside brings more.
struct joint_staff : staff<2, 3> {
  joint_staff() : staff(4) {}
  unsigned thread_count() const override { return 4; }
  void thread(unsigned index) override {
    if (index >= 2) return work(index - 2);
    for (unsigned n = 0; n < 2; ++n) send(new_letter(index, n, index, index == 0 ? 4 : 2));
  }
  bool joins() const override { return true; }
};

struct joint_adopters : joint_staff {
  bool adopts() const override { return true; }
};

struct joint_thieves : joint_adopters {
  std::optional<unsigned> victim_of(unsigned me) override { return 1 - me; }
};

}  // namespace

TEST_CASE("joint hold: one holder, order per sender, nobody sleeps through a letter", "[dispatch][schedule]") {
  support::require_holds<joint_staff>();
}

TEST_CASE("joint hold: the same with adoption", "[dispatch][schedule]") { support::require_holds<joint_adopters>(); }

TEST_CASE("joint hold: the same when shards are stolen meanwhile", "[dispatch][schedule]") {
  support::require_holds<joint_thieves>();
}

TEST_CASE("joint hold: planted faults are found", "[dispatch][schedule]") {
  TACT_REQUIRE_FOUND(join_past_outbox, joint_staff);
  TACT_REQUIRE_FOUND(join_without_look, joint_staff);
  TACT_REQUIRE_FOUND(gather_before_join, joint_staff);
  TACT_REQUIRE_FOUND(part_to_word, joint_staff);
  TACT_REQUIRE_FOUND(part_forgets, joint_staff);
  TACT_REQUIRE_FOUND(rest_not_announced, joint_adopters);
}
