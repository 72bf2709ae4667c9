// The eventcount under every kind of schedule, and the faults planted in it.
#include "sync/eventcount.hpp"

#include <array>

#include "support/explorer_checks.hpp"
#include "tools/explorer/simulated.hpp"

namespace eventcount_test {

namespace {

using namespace tact;
using explorer::check;
using explorer::simulated;
using eventcount = sync::eventcount<simulated>;

// Sleeps until `found` returns true, as a worker does.
template <class Found>
void await(eventcount& e, Found found) {
  while (!found()) {
    const std::uint32_t ticket = e.prepare();
    if (!simulated::planted(sync::fault::park_without_recheck) && found()) return e.cancel();
    e.wait(ticket);
  }
}

// Two wait for a flag, a third raises it.
struct flag : explorer::scenario {
  simulated::atomic<std::uint32_t> raised{0};
  eventcount changed;

  void name(explorer::names& called) override {
    called.add(raised, "flag");
    called.add(changed, "eventcount");
  }
  std::string thread_name(unsigned index) const override {
    return index == 0 ? "raiser" : "waiter " + std::to_string(index);
  }
  unsigned thread_count() const override { return 3; }
  void thread(unsigned index) override {
    if (index != 0) return await(changed, [&] { return raised.load() != 0; });
    raised.exchange(1);
    changed.notify();
  }
};

// Two produce two items each, two take until all are taken.
struct items : explorer::scenario {
  static constexpr std::uint32_t all = 4;
  simulated::atomic<std::uint32_t> made{0};
  simulated::atomic<std::uint32_t> taken{0};
  eventcount changed;

  unsigned thread_count() const override { return 4; }
  void thread(unsigned index) override { index < 2 ? produce() : consume(); }
  void at_end() override { check(taken.load() == all, "an item was taken twice or never"); }

  void produce() {
    for (int n = 0; n < 2; ++n) {
      made.fetch_add(1);
      changed.notify();
    }
  }
  void consume() {
    for (;;) {
      std::uint32_t seen = taken.load();
      if (seen == all) return;
      await(changed, [&] { return made.load() != (seen = taken.load()) || seen == all; });
      if (seen == all) return;
      if (seen < made.load() && taken.compare_exchange_strong(seen, seen + 1) && seen + 1 == all) changed.notify();
    }
  }
};

// One waits with a deadline for what may come late.
struct late : explorer::scenario {
  simulated::atomic<std::uint32_t> raised{0};
  eventcount changed;

  unsigned thread_count() const override { return 2; }
  void thread(unsigned index) override {
    if (index == 0) {
      raised.exchange(1);
      return changed.notify();
    }
    const std::uint32_t ticket = changed.prepare();
    if (raised.load() != 0) return changed.cancel();
    if (changed.wait(ticket, std::chrono::steady_clock::time_point{})) {
      check(raised.load() != 0, "woken, yet nothing had changed");
    }
  }
};

// Two do a part each, and tell only if both parts are done, as far as they see; a third waits for both.
struct parts : explorer::scenario {
  std::array<simulated::atomic<std::uint32_t>, 2> done{};
  eventcount changed;

  unsigned thread_count() const override { return 3; }
  void thread(unsigned index) override {
    if (index == 2) return await(changed, [this] { return all_done(); });
    if (simulated::planted(sync::fault::part_looked_at_first)) {
      const bool all = all_done();
      done.at(index).store(1);
      return changed.notify_if([all] { return all; });
    }
    // relaxed: hint, only under the planted fault.
    if (simulated::planted(sync::fault::part_not_fenced)) {
      done.at(index).store(1, std::memory_order_relaxed);
    } else {
      done.at(index).store(1);
    }
    changed.notify_if([this] { return all_done(); });
  }
  bool all_done() const { return done[0].load() != 0 && done[1].load() != 0; }
};

}  // namespace

TEST_CASE("eventcount: nobody sleeps through a change", "[sync][schedule][law9]") {
  support::require_holds<flag>();
  support::require_holds<items>();
}

TEST_CASE("eventcount: of those who do a part each the last one tells who waits for all", "[sync][schedule]") {
  support::require_holds<parts>();
}

TEST_CASE("eventcount: a wait that returns true was notified, one with a deadline ends", "[sync][schedule]") {
  support::require_holds<late>();
}

TEST_CASE("eventcount: in every schedule with few preemptions nobody sleeps through a change",
          "[sync][schedule][exhaustive]") {
  TACT_REQUIRE_ALL_HOLD(3, 0, flag);
  TACT_REQUIRE_ALL_HOLD(2, 0, items);
  TACT_REQUIRE_ALL_HOLD(3, 0, late);
  TACT_REQUIRE_ALL_HOLD(3, 0, parts);
}

TEST_CASE("eventcount: planted faults are found", "[sync][schedule]") {
  TACT_REQUIRE_FOUND(park_without_recheck, flag);
  TACT_REQUIRE_FOUND_WITHIN(1, 0, park_without_recheck, flag);
  TACT_REQUIRE_FOUND(eventcount_store_not_fenced, flag);
  TACT_REQUIRE_FOUND_WITHIN(1, 0, eventcount_store_not_fenced, flag);
  TACT_REQUIRE_FOUND(notify_skips_epoch, flag);
  TACT_REQUIRE_FOUND_WITHIN(1, 0, notify_skips_epoch, flag);
  TACT_REQUIRE_FOUND(part_looked_at_first, parts);
  TACT_REQUIRE_FOUND_WITHIN(0, 0, part_looked_at_first, parts);
  TACT_REQUIRE_FOUND(part_not_fenced, parts);
  TACT_REQUIRE_FOUND_WITHIN(0, 1, part_not_fenced, parts);
}

}  // namespace eventcount_test
