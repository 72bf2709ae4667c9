// A mailbox with a limit under every kind of schedule: threads that wait for room, and threads that make it.
#include "actors/pressure/admission_counter.hpp"

#include "support/explorer_checks.hpp"
#include "tools/explorer/simulated.hpp"

namespace room_test {

namespace {

using namespace tact;
using explorer::check;
using explorer::simulated;
using room = actors::admission_counter<simulated>;

constexpr room::owner first_actor = 64;
constexpr room::owner second_actor = 128;

// Thread 0 takes out what the others bring. They wait for room, which is enough for one message.
template <unsigned Senders, unsigned Letters>
struct counter : explorer::scenario {
  static constexpr unsigned all = Senders * Letters;

  room space;
  sync::eventcount<simulated> made;
  sync::eventcount<simulated> brought;
  simulated::atomic<std::uint32_t> waiting{0};

  counter() { space.open(first_actor, {.messages = 1}); }

  void name(explorer::names& names) override {
    names.add(space, "room");
    names.add(made, "room made");
    names.add(brought, "brought");
    names.add(waiting, "waiting");
  }
  unsigned thread_count() const override { return 1 + Senders; }
  std::string thread_name(unsigned index) const override {
    return index == 0 ? "receiver" : "sender " + std::to_string(index);
  }
  void thread(unsigned index) override {
    if (index == 0) return receive();
    for (unsigned i = 0; i < Letters; ++i) send();
  }
  void at_end() override {
    check(space.read().now.messages == 0, "a message is counted for ever");
    check(waiting.load() == 0, "a message was not taken out");
  }

  void send() {
    const room::waiter here(&space);
    const auto look = [&] { return space.enter(first_actor, 32, false) == room::entry::entered; };
    check(room::wait(made, look, {}), "a wait without a deadline timed out");
    check(waiting.fetch_add(1) == 0, "more than one waits where one has room");
    brought.notify();
  }
  void receive() {
    for (unsigned left = all; left != 0; --left) {
      for (;;) {
        const auto ticket = brought.prepare();
        if (waiting.load() != 0) break;
        brought.wait(ticket);
      }
      waiting.fetch_sub(1);
      if (space.leave(32)) made.notify();
    }
  }
};

using one_sender = counter<1, 2>;
using two_senders = counter<2, 2>;

// The actor ends while a thread waits, its message leaves, and another actor gets the room.
struct succession : explorer::scenario {
  room space;
  sync::eventcount<simulated> made;
  simulated::atomic<std::uint32_t> brought{0};  // messages of the first actor that are counted

  succession() {
    space.open(first_actor, {.messages = 1});
    check(space.enter(first_actor, 32, false) == room::entry::entered, "an empty room is full");
    brought.store(1);
  }

  void name(explorer::names& names) override {
    names.add(space, "room");
    names.add(made, "room made");
    names.add(brought, "brought");
  }
  unsigned thread_count() const override { return 2; }
  void thread(unsigned index) override { index == 0 ? end() : send(); }
  void at_end() override {
    const auto last = space.read();
    check(last.whose == second_actor, "the room is another's");
    check(last.now.messages == brought.load(), "a message is counted that nobody has, or has is not counted");
  }

  void end() {
    if (space.close()) made.notify();
    if (space.leave(32)) made.notify();
    brought.fetch_sub(1);
    space.open(second_actor, {.messages = 1});
    check(space.enter(second_actor, 32, true) == room::entry::entered, "one that insists is not let in");
    brought.fetch_add(1);
  }
  void send() {
    const room::waiter here(&space);
    auto how = room::entry::full;
    const auto look = [&] {
      how = space.enter(first_actor, 32, false);
      return how != room::entry::full;
    };
    check(room::wait(made, look, {}), "a wait without a deadline timed out");
    check(how == room::entry::closed, "it entered the room of an actor that has ended");
  }
};

// A message that must find room in two, of which the second is full, beside one that must only enter the first.
struct two_rooms : explorer::scenario {
  room first;
  room second;
  sync::eventcount<simulated> made;

  two_rooms() {
    first.open(first_actor, {.messages = 1});
    second.open(second_actor, {.messages = 1});
    check(second.enter(second_actor, 32, false) == room::entry::entered, "an empty room is full");
  }

  void name(explorer::names& names) override {
    names.add(first, "first room");
    names.add(second, "second room");
    names.add(made, "room made");
  }
  unsigned thread_count() const override { return 3; }
  void thread(unsigned index) override {
    if (index == 0) return leave(second);
    if (index == 1) return send_to_both();
    const room::waiter here(&first);
    const auto look = [&] { return first.enter(first_actor, 32, false) == room::entry::entered; };
    check(room::wait(made, look, {}), "a wait without a deadline timed out");
    leave(first);
  }
  void at_end() override {
    check(first.read().now.messages + second.read().now.messages == 0, "a message is counted for ever");
  }

  void leave(room& r) {
    if (r.leave(32)) made.notify();
  }
  void send_to_both() {
    {
      const room::waiter here(&first);
      const room::waiter there(&second);
      const auto look = [&] {
        return first.enter_with(second, second_actor, first_actor, 32, false, false) == room::entry::entered;
      };
      check(room::wait(made, look, {}), "a wait without a deadline timed out");
    }
    leave(first);
    leave(second);
  }
};

}  // namespace

TEST_CASE("admission counter: within the limit, and whoever waits for room gets it", "[actor][schedule]") {
  support::require_holds<one_sender>();
  support::require_holds<two_senders>();
  support::require_holds<counter<3, 1>>();
  support::require_holds<two_rooms>();
}

TEST_CASE("admission counter: whoever waits for one whose actor ends hears it, whoever has it next",
          "[actor][schedule]") {
  support::require_holds<succession>();
}

TEST_CASE(
    "admission counter: in every schedule with few preemptions the limit is kept, and whoever waits for room gets it "
    "or hears why "
    "not",
    "[actor][schedule][exhaustive]") {
  TACT_REQUIRE_ALL_HOLD(2, 0, one_sender);
  TACT_REQUIRE_ALL_HOLD(2, 0, succession);
  TACT_REQUIRE_ALL_HOLD(1, 0, two_rooms);
}

TEST_CASE("admission counter: planted faults are found", "[actor][schedule]") {
  TACT_REQUIRE_FOUND(admission_unlooked, two_senders);
  TACT_REQUIRE_FOUND(admission_left_unheard, one_sender);
  TACT_REQUIRE_FOUND(admission_awaited_unlooked, one_sender);
  TACT_REQUIRE_FOUND(admission_left_unheard, succession);
  TACT_REQUIRE_FOUND(admission_left_unheard, two_rooms);
  TACT_REQUIRE_FOUND_WITHIN(1, 0, admission_unlooked, two_senders);
  TACT_REQUIRE_FOUND_WITHIN(0, 0, admission_left_unheard, one_sender);
  TACT_REQUIRE_FOUND_WITHIN(1, 0, admission_awaited_unlooked, one_sender);
}

}  // namespace room_test
