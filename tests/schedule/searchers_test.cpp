// Workers that search, under every kind of schedule: alone, and among workers that steal, wake each other and sleep.
#include "dispatch/exchange/searchers.hpp"

#include "schedule/staff.hpp"

namespace searchers_test {

namespace {

using namespace tact;
using explorer::check;
using explorer::simulated;
using schedule::staff;

// Four want to search, two may at a time; each leaves after a while.
struct crowd : explorer::scenario {
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
    for (const unsigned to : {0U, 3U, 0U, 1U}) send({0, numbers[to]++, to == 3 ? 2U : 0U}, to);
  }
  std::optional<unsigned> victim_of(unsigned me) override { return me == 0 ? 2U : 0U; }
  bool withholds() const override { return true; }
};

// Worker 0 has a letter for each, and the others sleep. It calls one of them, once. A worker that has a letter keeps it
// until every worker has one. So it ends only if those that sleep wake each other.
template <unsigned Workers, unsigned SearchersMax>
struct rush : staff<Workers, Workers * Workers> {
  using base = staff<Workers, Workers * Workers>;
  rush() : base(Workers, SearchersMax) {}
  unsigned thread_count() const override { return Workers; }
  void thread(unsigned me) override {
    if (me == 0) {
      for (unsigned other = 1; other < Workers; ++other) {
        while (!this->sleeps(other)) simulated::pause();
      }
      for (unsigned n = 0; n < Workers; ++n) this->send({0, 0, 0}, n * Workers);
    }
    this->work(me);
  }
  std::optional<unsigned> victim_of(unsigned me) override {
    return me == 0 ? std::nullopt : std::optional<unsigned>(0);
  }
  void handle(unsigned me) override {
    if (me == 0) this->wake_another(me);
    const std::uint32_t came = have_one.fetch_add(1) + 1;
    if (came == Workers) return simulated::futex_wake(have_one, Workers);
    for (std::uint32_t seen; (seen = have_one.load()) < Workers;) simulated::futex_wait(have_one, seen);
  }
  simulated::atomic<std::uint32_t> have_one{0};
};
using rush_of_three = rush<3, 1>;
using rush_of_four = rush<4, 2>;

}  // namespace

TEST_CASE("searchers: few at a time, and the last to leave knows it", "[dispatch][schedule][law9]") {
  support::require_holds<crowd>();
}

TEST_CASE("searchers: nobody sleeps through a letter because others search", "[dispatch][schedule][law9]") {
  support::require_holds<patient_staff>();
}

TEST_CASE("searchers: with work for all, one call wakes all", "[dispatch][schedule]") {
  support::require_holds<rush_of_three>();
  support::require_holds<rush_of_four>();
}

TEST_CASE("searchers: in every schedule with few preemptions few search, and nobody sleeps through a letter",
          "[dispatch][schedule][exhaustive]") {
  TACT_REQUIRE_ALL_HOLD(3, 0, crowd);
  TACT_REQUIRE_ALL_HOLD(1, 0, rush_of_three);
  TACT_REQUIRE_ALL_HOLD(1, 0, patient_staff);
}

TEST_CASE("searchers: planted faults are found", "[dispatch][schedule]") {
  TACT_REQUIRE_FOUND(searchers_not_bounded, crowd);
  TACT_REQUIRE_FOUND_WITHIN(3, 0, searchers_not_bounded, crowd);
  TACT_REQUIRE_FOUND(last_one_unaware, crowd);
  TACT_REQUIRE_FOUND_WITHIN(2, 0, last_one_unaware, crowd);
  TACT_REQUIRE_FOUND(chain_broken, rush_of_three);
  TACT_REQUIRE_FOUND_WITHIN(0, 0, chain_broken, rush_of_three);
  TACT_REQUIRE_FOUND(chain_broken, rush_of_four);
  TACT_REQUIRE_FOUND_WITHIN(0, 0, chain_broken, rush_of_four);
}

}  // namespace searchers_test
