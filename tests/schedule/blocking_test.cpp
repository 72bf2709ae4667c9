// The slot of a blocking actor under every kind of schedule: creators that commit or do not, a thread that serves one
// actor after the other, and messages that come at any time.
#include "dispatch/visitors/blocking_slot.hpp"

#include <array>

#include "mailbox/shard_word.hpp"
#include "support/explorer_checks.hpp"
#include "tools/explorer/simulated.hpp"

namespace blocking_test {

namespace {

using namespace tact;
using explorer::check;
using explorer::simulated;

struct letter {
  letter* next = nullptr;
  unsigned to = 0;  // the number of an actor
};

// An actor: it exists from the commit of its creator to its last letter.
struct resident {
  simulated::atomic<bool> committed{false};
  simulated::atomic<bool> ended{false};  // or never to be
  simulated::atomic<bool> over{false};   // its last run too
};

// One slot with its shard and its thread.
class house : public explorer::scenario {
 public:
  explicit house(unsigned letters) : letters_(letters) {}

 protected:
  // Sends the actor `to` its next letter; the first one ends it.
  void send(unsigned to) {
    letter& l = storage_.at(used_++);
    l.to = to;
    if (word_.push(&l, &l)) slot_.wake();
  }

  // Creates actor `number` in the slot and tells its address to the thread that waits for it, before it commits. False:
  // the slot was taken.
  bool create(unsigned number, bool commits) {
    if (!slot_.take()) return false;
    check(inside_ == nullptr, "a slot was free while a run of its last actor went on");
    check(++occupants_ == 1, "a slot has two actors");
    address_.store(number + 1);
    static_cast<void>(address_.load());  // others run here
    if (commits) {
      residents_.at(number).committed.store(true);
      slot_.serve();
    } else {
      residents_.at(number).ended.store(true);
      residents_.at(number).over.store(true);
      --occupants_;
      slot_.give_back();
    }
    return true;
  }

  // The slot's thread.
  void serve() {
    while (handled_ != letters_) {
      if (!take_turn()) slot_.idle([this] { return anything(); });
    }
  }

  simulated::atomic<std::uint32_t> address_{0};  // the number of the last actor, plus one

 private:
  bool anything() const { return word_.eligible() && slot_.may_enter(); }

  bool take_turn() {
    if (!word_.eligible() || !slot_.enter()) return false;
    mailbox::gulped<letter> taken;
    if (word_.try_gulp(taken)) {
      for (letter* l = taken.oldest; l != nullptr; l = l->next) handle(*l);
      if (!word_.release()) word_.hand_over();
    }
    slot_.leave();
    return true;
  }

  void handle(const letter& l) {
    resident& actor = residents_.at(l.to);
    ++handled_;
    if (actor.ended.load()) return;  // a dead letter
    check(actor.committed.load(), "an actor ran before its creator had committed");
    inside_ = &actor;
    actor.ended.store(true);
    --occupants_;
    slot_.end();
    static_cast<void>(actor.ended.load());  // others run here
    actor.over.store(true);
    inside_ = nullptr;
  }

  const unsigned letters_;
  dispatch::blocking_slot<simulated> slot_;
  mailbox::shard_word<simulated, letter> word_;
  std::array<resident, 4> residents_;
  std::array<letter, 8> storage_;
  unsigned used_ = 0;
  unsigned handled_ = 0;
  int occupants_ = 0;
  const resident* inside_ = nullptr;
};

// Two creators at once, which go on until each has had the slot; each knows its own actor's address.
struct two_creators : house {
  static constexpr unsigned letters_each = 2;
  two_creators() : house(2 * letters_each) {}
  unsigned thread_count() const override { return 3; }
  void thread(unsigned index) override {
    if (index == 2) return serve();
    while (!create(index, true)) simulated::pause();
    for (unsigned n = 0; n < letters_each; ++n) send(index);
  }
};

// A creator that does not commit, then one that does; another thread heard of the address, and sends.
struct one_gives_up : house {
  one_gives_up() : house(3) {}
  unsigned thread_count() const override { return 3; }
  void thread(unsigned index) override {
    if (index == 2) return serve();
    if (index == 1) {
      while (address_.load() == 0) simulated::pause();
      send(0);  // before, during or after the end of its creator
      return send(0);
    }
    static_cast<void>(create(0, false));
    while (!create(1, true)) simulated::pause();
    send(1);
  }
};

// A creator that does not commit while letters come, and no creator after it.
struct nobody_moves_in : house {
  nobody_moves_in() : house(2) {}
  unsigned thread_count() const override { return 3; }
  void thread(unsigned index) override {
    if (index == 2) return serve();
    if (index == 0) return static_cast<void>(create(0, false));
    while (address_.load() == 0) simulated::pause();
    send(0);
    send(0);
  }
};

// A letter that was sent before the commit.
struct told_early : house {
  told_early() : house(1) {}
  unsigned thread_count() const override { return 3; }
  void thread(unsigned index) override {
    if (index == 2) return serve();
    if (index == 0) return static_cast<void>(create(0, true));
    while (address_.load() == 0) simulated::pause();
    send(0);
  }
};

// The same in a slot whose last actor still gets letters.
struct told_early_after_another : house {
  told_early_after_another() : house(3) {}
  unsigned thread_count() const override { return 3; }
  void thread(unsigned index) override {
    if (index == 2) return serve();
    if (index == 0) {
      static_cast<void>(create(0, true));
      send(0);
      send(0);
      while (!create(1, true)) simulated::pause();
      return;
    }
    while (address_.load() != 2) simulated::pause();
    send(1);
  }
};

}  // namespace

TEST_CASE("blocking_slot: one actor at a time, none waits for the end of another, every letter is handled",
          "[dispatch][schedule][law6]") {
  support::require_holds<two_creators>();
}

TEST_CASE("blocking_slot: an actor whose creator does not commit never runs, and its letters are buried",
          "[dispatch][schedule]") {
  support::require_holds<one_gives_up>();
  support::require_holds<nobody_moves_in>();
}

TEST_CASE("blocking_slot: what comes before the commit is handled after it", "[dispatch][schedule]") {
  support::require_holds<told_early>();
  support::require_holds<told_early_after_another>();
}

TEST_CASE(
    "blocking_slot: in every schedule with few preemptions every letter is handled once, or buried with its actor",
    "[dispatch][schedule][exhaustive]") {
  TACT_REQUIRE_ALL_HOLD(3, 0, told_early);
  TACT_REQUIRE_ALL_HOLD(2, 0, told_early_after_another);
  TACT_REQUIRE_ALL_HOLD(3, 0, nobody_moves_in);
  TACT_REQUIRE_ALL_HOLD(3, 0, one_gives_up);
  TACT_REQUIRE_ALL_HOLD(3, 0, two_creators);
}

TEST_CASE("blocking_slot: planted faults are found", "[dispatch][schedule]") {
  TACT_REQUIRE_FOUND(runs_while_starting, told_early);
  TACT_REQUIRE_FOUND_WITHIN(1, 0, runs_while_starting, told_early);
  TACT_REQUIRE_FOUND(buries_while_free, told_early_after_another);
  TACT_REQUIRE_FOUND(freed_in_last_run, two_creators);
  TACT_REQUIRE_FOUND_WITHIN(1, 0, freed_in_last_run, two_creators);
  TACT_REQUIRE_FOUND(serve_without_wake, told_early);
  TACT_REQUIRE_FOUND_WITHIN(1, 0, serve_without_wake, told_early);
  TACT_REQUIRE_FOUND(give_back_without_wake, nobody_moves_in);
  TACT_REQUIRE_FOUND_WITHIN(1, 0, give_back_without_wake, nobody_moves_in);
  TACT_REQUIRE_FOUND(idle_without_recheck, two_creators);
  TACT_REQUIRE_FOUND_WITHIN(1, 0, idle_without_recheck, two_creators);
}

}  // namespace blocking_test
