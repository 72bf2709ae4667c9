// Offices under every kind of schedule: what workers send to shards that they do not hold, dealt out into their lane or
// apart, among owners, thieves, threads that help and other senders.
#include "schedule/two_senders.hpp"

namespace office_test {

namespace {

using namespace tact;
using namespace tact::schedule;

// Each shard is held alone. Letters go round over the shards of two workers; a sender outside brings more.
using apart = two_senders<4, 3, 1>;
using withholders = withholding<apart>;
using withholding_thieves = stealing<withholders>;

// Of three workers with a shard each some sleep; thread 0 writes.
struct withholders_of_three : withholding<staff<3, 3>> {
  using withholding::withholding;
  unsigned thread_count() const override { return 4; }
  void thread(unsigned index) override { index == 0 ? write() : work(index - 1); }
  virtual void write() = 0;
};

// A letter goes on from one sleeper to the next.
struct withholder_of_two : withholders_of_three {
  withholder_of_two() : withholders_of_three(1) {}
  void write() override { send({0, 0, 4}, 0); }
};

// Two workers send to a sleeper at the same time.
struct two_withholders : withholders_of_three {
  two_withholders() : withholders_of_three(2) {}
  void write() override {
    send({0, 0, 1}, 0);
    send({0, 0, 1}, 2);
  }
  unsigned next_of(unsigned, unsigned) const override { return 1; }
};

// Its shard gets another letter when it has just kept one, and that goes to the other sleeper.
struct interrupted_withholder : withholders_of_three {
  interrupted_withholder() : withholders_of_three(2) {}
  void write() override {
    for (unsigned n = 0; n < 2; ++n) send({0, n, 1}, 0);
  }
  unsigned next_of(unsigned, unsigned) const override { return 1 + written_++ % 2; }

 private:
  mutable unsigned written_ = 0;
};

// Every handler writes to three of four shards, which a worker holds together as far as it can.
using together = joining<two_senders<4, 2, 1, 3>>;
using withholders_together = withholding<together>;
using thieves_together = stealing<withholders_together>;
// With runs that come to nothing, which leave shards joined and outboxes open.
using aborters_together = aborting<thieves_together>;

// Workers begin with a shard of each other, and exchange these while they hold them together with others.
struct parting_together : together {
  parting_together() {
    REQUIRE(shards().exchange(0, all().shards()[0], all().shards()[1], [](unsigned) {}));
  }
  bool brings_home_while_busy() const override { return true; }
};
using parting_thieves = withholding<stealing<parting_together>>;

// One worker holds together what it can, and a thread that helps deals out what comes to offices.
struct helped_together : staff<2, 4> {
  helped_together() : staff(2 * 4, 1, 1) {}
  unsigned thread_count() const override { return 3; }
  void thread(unsigned index) override {
    if (index == 0) {
      for (unsigned n = 0; n < 2; ++n) send({0, n, 2}, 0);
    } else if (index == 1) {
      work(0);
    } else {
      while (help(1)) {
      }
    }
  }
  bool joins() const override { return true; }
  unsigned copies() const override { return 2; }
};

}  // namespace

TEST_CASE("office: each shard has one holder, and order per sender, and nobody sleeps through a letter",
          "[dispatch][schedule][law5]") {
  support::require_holds<apart>();
}

TEST_CASE("office: nobody sleeps through a letter that a worker keeps for a sleeper", "[dispatch][schedule][law5]") {
  support::require_holds<withholders>();
  support::require_holds<withholder_of_two>();
  support::require_holds<two_withholders>();
  support::require_holds<interrupted_withholder>();
  support::require_holds<withholding_thieves>();
}

TEST_CASE("office: each shard has one holder, and order per sender, while shards are held together",
          "[dispatch][schedule]") {
  support::require_holds<together>();
  support::require_holds<withholders_together>();
}

TEST_CASE("office: each shard has one holder, and order per sender, while shards held together are stolen",
          "[dispatch][schedule][law5]") {
  support::require_holds<thieves_together>();
  support::require_holds<aborters_together>();
}

TEST_CASE("office: each shard has one holder, and order per sender, while shards held together change their workers",
          "[dispatch][schedule][law5]") {
  support::require_holds<parting_together>();
  support::require_holds<parting_thieves>();
}

TEST_CASE("office: each shard has one holder, and order per sender, while a thread helps", "[dispatch][schedule]") {
  support::require_holds<helped_together>();
}

TEST_CASE(
    "office: in every schedule with few preemptions each shard has one holder, and nobody sleeps through a letter",
    "[dispatch][schedule][exhaustive]") {
  TACT_REQUIRE_ALL_HOLD(1, 0, apart);
  TACT_REQUIRE_ALL_HOLD(1, 0, withholders);
  TACT_REQUIRE_ALL_HOLD(1, 0, withholding_thieves);
  TACT_REQUIRE_ALL_HOLD(1, 0, together);
  TACT_REQUIRE_ALL_HOLD(1, 0, thieves_together);
  TACT_REQUIRE_ALL_HOLD(1, 0, aborters_together);
  TACT_REQUIRE_ALL_HOLD(1, 0, parting_together);
  TACT_REQUIRE_ALL_HOLD(1, 0, helped_together);
}

TEST_CASE("office: planted faults are found", "[dispatch][schedule]") {
  TACT_REQUIRE_FOUND(hold_without_look, apart);
  TACT_REQUIRE_FOUND(rest_not_announced, withholders);
  TACT_REQUIRE_FOUND(rest_not_announced, parting_together);
  TACT_REQUIRE_FOUND(withheld_not_announced, withholder_of_two);
  TACT_REQUIRE_FOUND_WITHIN(0, 0, withheld_not_announced, withholder_of_two);
  TACT_REQUIRE_FOUND(withheld_forgotten, interrupted_withholder);
  TACT_REQUIRE_FOUND(office_taken_twice, together);
  TACT_REQUIRE_FOUND(office_left_early, thieves_together);
  TACT_REQUIRE_FOUND(office_not_announced, two_withholders);
  TACT_REQUIRE_FOUND_WITHIN(1, 0, office_not_announced, two_withholders);
  TACT_REQUIRE_FOUND(join_without_office, together);
  TACT_REQUIRE_FOUND(taken_in_past_outbox, together);
  TACT_REQUIRE_FOUND(release_before_flush, apart);
}

TEST_CASE("office: what schedules with a planted fault lose is never what other schedules use",
          "[dispatch][schedule]") {
  mailbox::depot& sound = schedule::chunks_of_sound_schedules();
  sound.trim();  // so that a schedule that uses it must get chunks from the system
  const std::uint64_t before = sound.allocations();
  support::require_found<apart>(sync::fault::release_before_flush, "release_before_flush");
  REQUIRE(sound.allocations() == before);
  support::require_holds<apart>();
  REQUIRE(sound.allocations() > before);
}

}  // namespace office_test
