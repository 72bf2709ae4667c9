// Adoption under every kind of schedule: shards that their senders run, among owners, thieves and other senders.
#include "schedule/staff.hpp"

namespace {

using namespace tact;
using schedule::staff;

// Letters go round over the shards of two workers, who run each other's shards rather than wake each other; a sender
// outside brings more.
struct adopting_staff : staff<2, 2> {
  adopting_staff() : staff(4) {}
  unsigned thread_count() const override { return 4; }
  void thread(unsigned index) override {
    if (index >= 2) return work(index - 2);
    for (unsigned n = 0; n < 2; ++n) send(new_letter(index, n, index, index == 0 ? 3 : 1));
  }
  bool adopts() const override { return true; }
};

// The same with thefts.
struct adopting_thieves : adopting_staff {
  std::optional<unsigned> victim_of(unsigned me) override { return 1 - me; }
};

// One shard has more than its turn, and what it sends on is run by its worker before the rest of it; a thief may take
// that rest meanwhile.
struct resting_adopters : staff<2, 2> {
  static constexpr unsigned letters = 4;
  resting_adopters() : staff(letters) {}
  unsigned thread_count() const override { return 3; }
  void thread(unsigned index) override {
    if (index != 0) return work(index - 1);
    for (unsigned n = 0; n < letters; ++n) send(new_letter(0, n, 0, (n + 1) % 2));
  }
  bool adopts() const override { return true; }
  std::optional<unsigned> victim_of(unsigned me) override {
    return me == 0 ? std::nullopt : std::optional<unsigned>(0);
  }
};

}  // namespace

TEST_CASE("adoption: one holder, order per sender, nobody sleeps through a letter", "[dispatch][schedule]") {
  support::require_holds<adopting_staff>();
}

TEST_CASE("adoption: the same when shards are stolen meanwhile", "[dispatch][schedule]") {
  support::require_holds<adopting_thieves>();
}

TEST_CASE("adoption: the same when the shard that sent has a rest", "[dispatch][schedule]") {
  support::require_holds<resting_adopters>();
}

TEST_CASE("adoption: all of it holds in every schedule with few preemptions", "[dispatch][schedule][exhaustive]") {
  TACT_REQUIRE_ALL_HOLD(2, 0, adopting_staff);
  TACT_REQUIRE_ALL_HOLD(1, 0, adopting_thieves);
  TACT_REQUIRE_ALL_HOLD(2, 0, resting_adopters);
}

TEST_CASE("adoption: planted faults are found", "[dispatch][schedule]") {
  TACT_REQUIRE_FOUND(hold_without_look, adopting_staff);
  TACT_REQUIRE_FOUND_WITHIN(0, 0, hold_without_look, adopting_staff);
  TACT_REQUIRE_FOUND(rest_not_announced, adopting_staff);
  TACT_REQUIRE_FOUND_WITHIN(1, 0, rest_not_announced, adopting_staff);
  TACT_REQUIRE_FOUND(refused_not_announced, adopting_staff);
  TACT_REQUIRE_FOUND_WITHIN(1, 0, refused_not_announced, adopting_staff);
  TACT_REQUIRE_FOUND(release_before_flush, resting_adopters);
  TACT_REQUIRE_FOUND_WITHIN(1, 0, release_before_flush, resting_adopters);
}
