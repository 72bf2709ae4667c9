// The slot of a stack under every kind of schedule: threads are asked, answer late or in time, and are given up.
#include "inspect/stack_slot.hpp"

#include <cstdint>
#include <string>

#include "support/explorer_checks.hpp"
#include "tools/explorer/simulated.hpp"

namespace stack_slot_test {

namespace {

using namespace tact;
using explorer::check;
using explorer::simulated;
using slot_type = inspect::stack_slot<simulated>;

struct shape {
  unsigned asked;    // threads that may answer
  unsigned asks;     // of thread 0, going round over the others
  unsigned signals;  // each of the others gets so many, at any time: also before it is asked, and when it was given up
  unsigned looks;    // so often thread 0 looks before it loses patience
};

// Thread 0 asks. The others get signals, as their handlers see them: at any time.
template <shape Shape>
struct asked : explorer::scenario {
  slot_type slot;
  simulated::atomic<std::uint32_t> half{0};  // of the place: both halves are the number of the thread that wrote
  simulated::atomic<std::uint32_t> other_half{0};
  unsigned inside = 0;   // threads that use the place
  unsigned written = 0;  // stacks
  unsigned read = 0;

  void name(explorer::names& called) override {
    called.add(slot, "slot");
    called.add(half, "place");
    called.add(other_half, "place, 2");
  }
  unsigned thread_count() const override { return 1 + Shape.asked; }
  std::string thread_name(unsigned index) const override {
    return index == 0 ? "asker" : "thread " + std::to_string(index);
  }
  void thread(unsigned index) override {
    if (index == 0) {
      for (unsigned n = 0; n < Shape.asks; ++n) ask(1 + n % Shape.asked);
    } else {
      for (unsigned n = 0; n < Shape.signals; ++n) hear(index);
    }
  }
  void at_end() override {
    check(inside == 0, "a thread still uses the place");
    check(read <= written, "a stack was read twice");
    check(slot.ask(1), "the slot is not free at the end");
  }

  void enter() { check(++inside == 1, "two threads use the place"); }
  void go() { check(--inside == 0, "a thread came in meanwhile"); }

  void hear(unsigned me) {
    if (!slot.begin(me)) return;
    enter();
    half.store(me);
    other_half.store(me);
    ++written;
    go();
    slot.written(me);
  }
  void ask(unsigned whom) {
    if (!slot.ask(whom)) return;  // one that was given up still writes
    if (!waits() && (slot.withdraw(whom) || (!waits() && slot.leave(whom)))) return;
    check(slot.is_written(), "a stack is read that is not written");
    enter();
    check(half.load() == whom && other_half.load() == whom, "the stack of another thread is read, or half of one");
    ++read;
    go();
    slot.let_go();
  }
  bool waits() {
    for (unsigned n = 0; n < Shape.looks; ++n) {
      if (slot.is_written()) return true;
    }
    return false;
  }
};

using one = asked<shape{.asked = 1, .asks = 2, .signals = 2, .looks = 1}>;
using two = asked<shape{.asked = 2, .asks = 3, .signals = 2, .looks = 1}>;
using patient = asked<shape{.asked = 2, .asks = 4, .signals = 3, .looks = 4}>;
using many = asked<shape{.asked = 3, .asks = 6, .signals = 3, .looks = 2}>;

}  // namespace

TEST_CASE("stack slot: the thread that is asked writes alone, and what is read is its stack, whole",
          "[inspect][schedule]") {
  support::require_holds<one>();
  support::require_holds<two>();
  support::require_holds<patient>();
  support::require_holds<many>();
}

TEST_CASE("stack slot: in every schedule with few preemptions the asked thread writes alone",
          "[inspect][schedule][exhaustive]") {
  TACT_REQUIRE_ALL_HOLD(5, 0, one);
  TACT_REQUIRE_ALL_HOLD(4, 0, two);
}

TEST_CASE("stack slot: planted faults are found", "[inspect][schedule]") {
  TACT_REQUIRE_FOUND(stack_left_free, two);
  TACT_REQUIRE_FOUND_WITHIN(3, 0, stack_left_free, two);
  TACT_REQUIRE_FOUND(stack_withdrawn_unlooked, two);
  TACT_REQUIRE_FOUND_WITHIN(3, 0, stack_withdrawn_unlooked, two);
}

}  // namespace stack_slot_test
