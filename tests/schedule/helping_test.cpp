// Threads that help under every kind of schedule, among senders, workers and the end of the engine.
#include "schedule/staff.hpp"
#include "sync/rundown.hpp"

namespace helping_test {

namespace {

using namespace tact;
using explorer::check;
using explorer::simulated;
using schedule::staff;
using sync::fault;

// Thread 0 sends, 1 and 2 are workers, each of which steals from the other; thread 3 helps until nothing is there.
struct one_helps : staff<3, 3> {
  one_helps() : staff(letters, 2, 2) {}
  unsigned thread_count() const override { return 4; }
  void thread(unsigned index) override {
    if (index == 0) {
      for (unsigned n = 0; n < letters; ++n) send({0, n / 3, 1}, n % 3);
    } else if (index == 3) {
      while (help(2)) {
      }
    } else {
      work(index - 1);
    }
  }

 protected:
  std::optional<unsigned> victim_of(unsigned me) override { return 1 - me; }

 private:
  static constexpr unsigned letters = 4;
};

// The same with one worker, so no other worker finds what is left.
struct one_helps_one : staff<2, 2> {
  one_helps_one() : staff(letters, 1, 1) {}
  unsigned thread_count() const override { return 3; }
  void thread(unsigned index) override {
    if (index == 0) {
      for (unsigned n = 0; n < letters; ++n) send({0, n, 0}, 0);
    } else if (index == 2) {
      static_cast<void>(help(1));
    } else {
      work(0);
    }
  }

 private:
  static constexpr unsigned letters = 4;
};

// Thread 0 ends what the others enter: when no thread is in, it is gone.
struct end_and_enter : explorer::scenario {
  unsigned thread_count() const override { return 3; }
  void thread(unsigned index) override {
    if (index == 0) return end();
    if (here.try_enter([this] { return stopping.load(); })) {
      check(!gone.load(), "it was gone while somebody was in");
      here.leave();
    }
    left.notify();  // a thread that was refused may have been counted for a moment
  }
  void end() {
    stopping.exchange(true);
    for (;;) {
      const auto ticket = left.prepare();
      if (here.is_empty()) {
        left.cancel();
        break;
      }
      left.wait(ticket);
    }
    gone.store(true);
  }

  sync::rundown<simulated> here;
  sync::eventcount<simulated> left;
  simulated::atomic<bool> stopping{false};
  simulated::atomic<bool> gone{false};
};

}  // namespace

TEST_CASE("helping: what a thread that helps leaves behind is found by a worker", "[dispatch][schedule]") {
  support::require_holds<one_helps>();
  support::require_holds<one_helps_one>();
}

TEST_CASE("helping: the end waits for who has entered, and for nobody else", "[dispatch][schedule]") {
  support::require_holds<end_and_enter>();
}

TEST_CASE(
    "helping: in every schedule with few preemptions a worker finds what is left behind, and the end waits for helpers",
    "[dispatch][schedule][exhaustive]") {
  TACT_REQUIRE_ALL_HOLD(1, 0, one_helps_one);
  TACT_REQUIRE_ALL_HOLD(3, 0, end_and_enter);
}

TEST_CASE("helping: planted faults are found", "[dispatch][schedule]") {
  TACT_REQUIRE_FOUND(rest_not_announced, one_helps_one);
  TACT_REQUIRE_FOUND_WITHIN(1, 0, rest_not_announced, one_helps_one);
  TACT_REQUIRE_FOUND(stop_looked_at_first, end_and_enter);
  TACT_REQUIRE_FOUND_WITHIN(1, 0, stop_looked_at_first, end_and_enter);
}

}  // namespace helping_test
