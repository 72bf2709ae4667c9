// The one-shot wait under every kind of schedule, and the faults planted in it.
#include "sync/wait_word.hpp"

#include <optional>

#include "support/explorer_checks.hpp"
#include "tools/explorer/simulated.hpp"

namespace wait_word_test {

namespace {

using namespace tact;
using explorer::check;
using explorer::simulated;
using wait_word = sync::wait_word<simulated>;

// The word goes as soon as the waiter has returned, as one on its stack would.
struct answer : explorer::scenario {
  bool answered = false;
  std::optional<wait_word::word> word{std::in_place, wait_word::waiting};

  unsigned thread_count() const override { return 2; }
  void thread(unsigned index) override { index == 0 ? tell() : ask(); }
  void tell() {
    answered = true;
    wait_word::notify(*word);
  }
  virtual void ask() {
    check(wait_word::wait(*word), "a wait without a deadline timed out");
    take();
  }
  void take() {
    check(answered, "woken before the answer");
    word.reset();
  }
};

// The waiter's patience ends, it learns that the answer is under way, and waits again.
struct impatient : answer {
  void ask() override {
    if (!wait_word::wait(*word, std::chrono::steady_clock::time_point{})) wait_word::wait(*word);
    take();
  }
};

// The waiter looks before it sleeps, and may find that it need not.
struct attentive : answer {
  void ask() override {
    if (wait_word::is_done(*word) || wait_word::is_done(*word)) return take();
    answer::ask();
  }
};

}  // namespace

TEST_CASE("wait_word: the waiter wakes, and may be gone at once", "[sync][schedule]") {
  support::require_holds<answer>();
}

TEST_CASE("wait_word: after a deadline it may be waited for again", "[sync][schedule]") {
  support::require_holds<impatient>();
}

TEST_CASE("wait_word: who looks before it sleeps may be gone at once as well", "[sync][schedule]") {
  support::require_holds<attentive>();
}

TEST_CASE("wait_word: in every schedule with few preemptions the waiter wakes, and may be gone at once",
          "[sync][schedule][exhaustive]") {
  TACT_REQUIRE_ALL_HOLD(3, 1, answer);
  TACT_REQUIRE_ALL_HOLD(3, 1, impatient);
  TACT_REQUIRE_ALL_HOLD(3, 1, attentive);
}

TEST_CASE("wait_word: planted faults are found", "[sync][schedule]") {
  TACT_REQUIRE_FOUND(notify_lost, answer);
  TACT_REQUIRE_FOUND_WITHIN(0, 0, notify_lost, answer);
  TACT_REQUIRE_FOUND(notify_after_done, answer);
  TACT_REQUIRE_FOUND_WITHIN(1, 0, notify_after_done, answer);
}

}  // namespace wait_word_test
