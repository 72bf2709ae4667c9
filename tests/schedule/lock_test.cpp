// The short lock under every kind of schedule, and the faults planted in it.
#include "sync/lock.hpp"

#include "support/explorer_checks.hpp"
#include "tools/explorer/simulated.hpp"

namespace lock_test {

namespace {

using namespace tact;
using explorer::check;
using explorer::simulated;

// Three threads take turns at something that only one may touch. The spin is short, so that threads sleep too.
struct turns : explorer::scenario {
  static constexpr unsigned threads = 3, rounds = 2;
  using short_lock = sync::lock<simulated, 1>;
  short_lock door;
  simulated::atomic<std::uint32_t> step{0};
  unsigned inside = 0;
  unsigned done = 0;

  void name(explorer::names& called) override { called.add(door, "lock"); }
  unsigned thread_count() const override { return threads; }
  void thread(unsigned) override {
    for (unsigned i = 0; i < rounds; ++i) {
      const sync::locked<short_lock> in(door);
      check(++inside == 1, "two are inside");
      step.fetch_add(1);  // others may go on here
      step.fetch_add(1);
      check(--inside == 0, "somebody came in meanwhile");
      ++done;
    }
  }
  void at_end() override { check(done == threads * rounds, "a turn was lost"); }
};

}  // namespace

TEST_CASE("lock: one is inside, and whoever waits gets in", "[sync][schedule]") { support::require_holds<turns>(); }

TEST_CASE("lock: in every schedule with few preemptions one is inside, and whoever waits gets in",
          "[sync][schedule][exhaustive]") {
  TACT_REQUIRE_ALL_HOLD(3, 0, turns);
}

TEST_CASE("lock: planted faults are found", "[sync][schedule]") {
  TACT_REQUIRE_FOUND(lock_entered_twice, turns);
  TACT_REQUIRE_FOUND_WITHIN(1, 0, lock_entered_twice, turns);
  TACT_REQUIRE_FOUND(leave_wakes_nobody, turns);
  TACT_REQUIRE_FOUND_WITHIN(1, 0, leave_wakes_nobody, turns);
  TACT_REQUIRE_FOUND(woken_forgets_others, turns);
  TACT_REQUIRE_FOUND_WITHIN(1, 0, woken_forgets_others, turns);
}

}  // namespace lock_test
