// A loop's place under every kind of schedule: senders, a loop that pumps when it is called and is closed, and the
// thread that takes what comes after that.
#include <array>
#include <functional>

#include "dispatch/visitors/loop_bell.hpp"
#include "dispatch/visitors/loop_call.hpp"
#include "mailbox/shard_word.hpp"
#include "support/explorer_checks.hpp"
#include "sync/eventcount.hpp"
#include "tools/explorer/simulated.hpp"

namespace loop_test {

namespace {

using namespace tact;
using explorer::check;
using explorer::simulated;

struct letter {
  letter* next = nullptr;
};

// Thread 0 is the loop: it sleeps until it is called, and pumps, until `Before` letters were handled; then it closes,
// and takes the rest as the thread of the place. Before all that it waits in a destructor until `Waited` letters were
// handled, and runs the loop meanwhile. The others send.
template <unsigned Senders, unsigned Letters, unsigned Before, unsigned Waited = 0>
struct window : explorer::scenario {
  static constexpr unsigned all = Senders * Letters;

  mailbox::shard_word<simulated, letter> shard;
  dispatch::loop_bell<simulated> bell;
  dispatch::loop_call<simulated, std::function<void()>> loop{[this] { call(); }};
  sync::eventcount<simulated> called;   // for the loop
  sync::eventcount<simulated> wakeups;  // for the thread of the place
  simulated::atomic<std::uint32_t> calls{0};
  std::array<letter, all> letters;
  // Only for the thread that drives.
  letter* lane = nullptr;
  int inside = 0;
  unsigned handled = 0;
  bool gone = false;  // what a call refers to

  void name(explorer::names& names) override {
    names.add(shard, "shard");
    names.add(loop, "loop");
    names.add(called, "called");
    names.add(wakeups, "wakeups");
    names.add(calls, "calls");
  }
  std::string thread_name(unsigned index) const override {
    return index == 0 ? "loop" : "sender " + std::to_string(index);
  }
  unsigned thread_count() const override { return 1 + Senders; }
  void thread(unsigned index) override { index == 0 ? turn() : send(index - 1); }
  void at_end() override { check(handled == all, "a letter was not handled"); }

  void call() {
    calls.fetch_add(1);
    check(!gone, "the loop is called, and has gone");
    bell.ring();
    called.notify();
  }
  void send(unsigned number) {
    for (unsigned i = 0; i < Letters; ++i) {
      letter& l = letters[number * Letters + i];
      if (!shard.push(&l, &l)) continue;
      wakeups.notify();
      loop.announce();
    }
  }

  void wait_in_destructor() {
    sync::eventcount<simulated> left;
    bell.move_to(&left);
    while (handled < Waited) {
      const auto ticket = left.prepare();
      while (run_some()) {
      }
      if (handled < Waited) left.wait(ticket);
    }
    bell.move_to(nullptr);
  }

  void turn() {
    if (Waited != 0) wait_in_destructor();
    for (std::uint32_t seen = 0; handled < Before;) {
      const auto ticket = called.prepare();
      if (calls.load() == seen) {
        called.wait(ticket);
        continue;
      }
      seen = calls.load();
      while (run_some()) {
      }
    }
    check(loop.close(), "the loop is not in the middle of a pump");
    gone = true;
    while (handled != all) {
      const auto ticket = wakeups.prepare();
      anything() ? drive(all) : static_cast<void>(wakeups.wait(ticket));
    }
  }
  // True: something is left.
  bool run_some() {
    if (!loop.enter()) return false;
    drive(1);
    return loop.leave([this] { return anything(); });
  }
  bool anything() const { return shard.eligible(); }
  void drive(unsigned most) {
    check(++inside == 1, "two drive at a time");
    mailbox::gulped<letter> taken;
    if (shard.try_gulp(taken)) {
      letter** end = &lane;
      while (*end != nullptr) end = &(*end)->next;
      *end = taken.oldest;
      for (; lane != nullptr && most != 0; --most, ++handled) lane = lane->next;
      if (lane != nullptr) {
        shard.release_with_rest();
      } else if (!shard.release()) {
        shard.hand_over();
      }
    }
    --inside;
  }
};

using closed_early = window<2, 2, 1>;
using closed_late = window<2, 2, 4>;
using waits_first = window<2, 2, 3, 2>;

}  // namespace

TEST_CASE("loop: it is called for all that comes, and not once it is closed, and nothing is left behind",
          "[dispatch][schedule]") {
  support::require_holds<closed_early>();
  support::require_holds<closed_late>();
  support::require_holds<window<3, 1, 2>>();
}

TEST_CASE("loop: its thread may wait in a destructor, and runs what comes meanwhile", "[dispatch][schedule]") {
  support::require_holds<waits_first>();
  support::require_holds<window<2, 2, 4, 4>>();
}

TEST_CASE("loop: that holds in every schedule with few preemptions", "[dispatch][schedule][exhaustive]") {
  TACT_REQUIRE_ALL_HOLD(2, 0, closed_early);
  TACT_REQUIRE_ALL_HOLD(2, 0, closed_late);
  TACT_REQUIRE_ALL_HOLD(2, 0, waits_first);
}

TEST_CASE("loop: planted faults are found", "[dispatch][schedule]") {
  TACT_REQUIRE_FOUND(loop_called_outside, closed_early);
  TACT_REQUIRE_FOUND(loop_bell_rung_unlocked, waits_first);
  TACT_REQUIRE_FOUND(pump_left_without_look, closed_late);
  TACT_REQUIRE_FOUND(release_without_recheck, closed_late);
}

}  // namespace loop_test
