// Who searches, under every kind of schedule: alone, and among workers that steal, wake each other and sleep.
#include "dispatch/searchers.hpp"

#include "schedule/staff.hpp"

namespace {

using namespace tact;
using schedule::staff;
using simulation::check;
using simulation::simulated;

// Four want to search, two may at a time; each leaves after a while.
struct crowd : simulation::scenario {
  static constexpr unsigned max = 2;
  dispatch::searchers<simulated> inside{max};
  simulated::atomic<std::uint32_t> counted{0};
  unsigned left = 0;
  unsigned told = 0;  // that they were the last

  unsigned thread_count() const override { return 4; }
  void thread(unsigned) override {
    if (!inside.try_enter()) return;
    check(counted.fetch_add(1) < max, "too many search at once");
    counted.fetch_sub(1);
    if (inside.leave()) ++told;
    ++left;
  }
  void at_end() override {
    check(inside.count() == 0, "somebody is still counted as searching");
    check(left >= max, "fewer searched than might");
    check(told != 0, "all have left, and nobody knows that he was the last");
  }
};

// One may search at a time; worker 0 has all the work.
struct patient_staff : staff<3, 6> {
  static constexpr unsigned letters = 4;
  patient_staff() : staff(letters, 1) {}
  unsigned thread_count() const override { return 4; }
  void thread(unsigned index) override {
    if (index != 0) return work(index - 1);
    std::array<unsigned, 6> numbers{};
    for (const unsigned to : {0U, 3U, 0U, 1U}) send(new_letter(0, numbers[to]++, to, to == 3 ? 2 : 0));
  }
  std::optional<unsigned> victim_of(unsigned me) override { return me == 0 ? 2U : 0U; }
  bool adopts() const override { return true; }
};

}  // namespace

TEST_CASE("searchers: few at a time, and the last to leave knows it", "[dispatch][schedule]") {
  support::require_holds<crowd>();
}

TEST_CASE("searchers: nobody sleeps through a letter because others search", "[dispatch][schedule]") {
  support::require_holds<patient_staff>();
}

TEST_CASE("searchers: planted faults are found", "[dispatch][schedule]") {
  TACT_REQUIRE_FOUND(searchers_not_bounded, crowd);
  TACT_REQUIRE_FOUND(last_one_unaware, crowd);
}
