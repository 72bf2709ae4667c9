// The pump word under every kind of schedule: senders, a loop that pumps when it is called, a thread that waits.
#include "dispatch/visitors/pump_word.hpp"

#include <array>

#include "mailbox/shard_word.hpp"
#include "support/explorer_checks.hpp"
#include "sync/eventcount.hpp"
#include "tools/explorer/simulated.hpp"

namespace pump_test {

namespace {

using namespace tact;
using explorer::check;
using explorer::simulated;
using word = dispatch::pump_word<simulated>;

struct letter {
  letter* next = nullptr;
};

// Thread 0 is the loop: it sleeps until it is called, and pumps until nothing is left. Of the others the first
// `Waiters` wait until one letter was handled, and drive meanwhile; the rest send.
template <unsigned Waiters, unsigned Senders, unsigned Letters>
struct house : explorer::scenario {
  static constexpr unsigned all = Senders * Letters;

  mailbox::shard_word<simulated, letter> shard;
  word pump;
  sync::eventcount<simulated> changed;  // for threads that wait
  sync::eventcount<simulated> called;   // for the loop
  simulated::atomic<std::uint32_t> calls{0};
  simulated::atomic<std::uint32_t> pumps{0};  // begun, or about to
  simulated::atomic<std::uint32_t> handled{0};
  std::array<letter, all> letters;
  // Of the thread that drives.
  letter* lane = nullptr;
  int inside = 0;

  void name(explorer::names& names) override {
    names.add(shard, "shard");
    names.add(pump, "pump word");
    names.add(changed, "changed");
    names.add(called, "called");
    names.add(calls, "calls");
    names.add(pumps, "pumps");
    names.add(handled, "handled");
  }
  std::string thread_name(unsigned index) const override {
    if (index == 0) return "loop";
    return (index <= Waiters ? "waiter " : "sender ") + std::to_string(index);
  }
  unsigned thread_count() const override { return 1 + Waiters + Senders; }
  void thread(unsigned index) override {
    if (index == 0) return loop();
    index <= Waiters ? wait() : send(index - Waiters - 1);
  }
  void at_end() override { check(handled.load() == all, "a letter was not handled"); }

  void call() {
    check(calls.fetch_add(1) <= pumps.load(), "the loop was called twice, and did not pump in between");
    called.notify();
  }
  void send(unsigned number) {
    for (unsigned i = 0; i < Letters; ++i) {
      letter& l = letters[number * Letters + i];
      if (!shard.push(&l, &l)) continue;
      const bool calls_loop = pump.ring();
      changed.notify();
      if (calls_loop) call();
    }
  }

  void loop() {
    for (std::uint32_t seen = 0; handled.load() != all;) {
      const auto ticket = called.prepare();
      if (handled.load() == all) break;
      if (calls.load() == seen) {
        called.wait(ticket);
        continue;
      }
      seen = calls.load();
      while (run_some()) {
      }
    }
  }
  // True: something is left.
  bool run_some() {
    pumps.fetch_add(1);
    if (pump.try_drive() != word::entry::entered) return false;
    drive(2);
    bool more = anything();
    if (more) {
      pump.leave_told();
    } else {
      more = pump.leave([this] { return anything(); });
      if (more) calls.fetch_add(1);
    }
    changed.notify();
    return more;
  }
  void wait() {
    for (;;) {
      const auto ticket = changed.prepare();
      if (handled.load() != 0) return;
      if (!anything() || !pump.try_lend()) {
        changed.wait(ticket);
        continue;
      }
      drive(1);
      const bool calls_loop = pump.leave([this] { return anything(); });
      changed.notify();
      if (calls_loop) call();
    }
  }

  bool anything() const { return shard.eligible(); }
  void drive(unsigned most) {
    check(++inside == 1, "two drive at a time");
    mailbox::gulped<letter> taken;
    while (most != 0 && shard.try_gulp(taken)) {
      append(taken.oldest);
      for (; lane != nullptr && most != 0; --most) {
        lane = lane->next;
        if (handled.fetch_add(1) + 1 == all) called.notify();
      }
      if (lane != nullptr) {
        shard.release_with_rest();
      } else if (!shard.release()) {
        shard.hand_over();
      }
    }
    --inside;
  }
  void append(letter* came) {
    letter** end = &lane;
    while (*end != nullptr) end = &(*end)->next;
    *end = came;
  }
};

using beside_senders = house<0, 2, 2>;
using beside_waiter = house<1, 2, 2>;
using small = house<1, 1, 2>;

}  // namespace

TEST_CASE("pump_word: one drives at a time, and the loop is called for all that nobody runs", "[dispatch][schedule]") {
  support::require_holds<beside_senders>();
  support::require_holds<beside_waiter>();
  support::require_holds<house<2, 2, 1>>();
}

TEST_CASE("pump_word: in every schedule with few preemptions one drives at a time, and the loop is called",
          "[dispatch][schedule][exhaustive]") {
  TACT_REQUIRE_ALL_HOLD(2, 0, small);
  TACT_REQUIRE_ALL_HOLD(2, 0, beside_senders);
}

TEST_CASE("pump_word: planted faults are found", "[dispatch][schedule]") {
  TACT_REQUIRE_FOUND(pumped_by_two, beside_waiter);
  TACT_REQUIRE_FOUND(pump_left_without_look, beside_senders);
  TACT_REQUIRE_FOUND(told_while_lent, beside_waiter);
  TACT_REQUIRE_FOUND(rung_twice, beside_senders);
}

}  // namespace pump_test
