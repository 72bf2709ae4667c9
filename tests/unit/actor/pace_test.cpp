// Pace: slow handlers make a worker look up after each message, fast ones seldom.
#include "actor/pace.hpp"

#include <algorithm>
#include <chrono>

#include "support/catch.hpp"

namespace {

// Time that passes while handlers run, and otherwise stands still.
struct hand_clock {
  using duration = std::chrono::nanoseconds;
  using time_point = std::chrono::time_point<std::chrono::steady_clock, duration>;
  static time_point now() { return now_; }
  static void pass(duration time) { now_ += time; }

 private:
  static inline time_point now_{std::chrono::hours(1)};
};

using pace = tact::actor::basic_pace<hand_clock>;

// Messages that run until the worker looks up once more; each takes as long as `work`.
template <class F>
unsigned stretch(pace& p, F work) {
  unsigned messages = 1;
  for (work(); !p.step() || p.only_glances(); work()) ++messages;
  return messages;
}

// Runs one whole hold; returns its messages.
template <class F>
unsigned hold(pace& p, F work, bool measured = false) {
  p.begin_hold(measured);
  unsigned messages = 0;
  do messages += stretch(p, work);
  while (p.next_stretch());
  return messages;
}

void nothing() { hand_clock::pass(std::chrono::nanoseconds(10)); }
void for_a_while() { hand_clock::pass(std::chrono::microseconds(100)); }

}  // namespace

TEST_CASE("pace: before anything was measured handlers count as slow", "[actor]") {
  pace p;
  p.begin_hold();
  CHECK_FALSE(p.only_starts_clock());
  CHECK(p.worth_sharing(1));
  CHECK(stretch(p, nothing) == 1);
}

TEST_CASE("pace: a hold ends after a bounded number of stretches", "[actor]") {
  pace p;
  for (int i = 0; i < 50; ++i) {
    const unsigned messages = hold(p, nothing);
    CHECK(messages >= 8);
    CHECK(messages <= 8 * 1024);
  }
}

TEST_CASE("pace: fast handlers are looked up from seldom and not worth sharing one by one", "[actor]") {
  pace p;
  for (int i = 0; i < 50; ++i) static_cast<void>(hold(p, nothing));
  CHECK_FALSE(p.worth_sharing(1));
  CHECK(p.worth_sharing(1'000'000'000));
  p.begin_hold();
  CHECK(p.only_starts_clock());
  CHECK(hold(p, nothing) > 100);
}

TEST_CASE("pace: handlers that become slow are noticed within one hold", "[actor]") {
  pace p;
  for (int i = 0; i < 50; ++i) static_cast<void>(hold(p, nothing));
  static_cast<void>(hold(p, for_a_while));
  CHECK(p.worth_sharing(2));
  CHECK(hold(p, for_a_while) <= 16);
}

TEST_CASE("pace: fast handlers are quick, and done soon as long as few wait", "[actor]") {
  pace p;
  CHECK_FALSE(p.is_quick());
  for (int i = 0; i < 50; ++i) static_cast<void>(hold(p, nothing));
  CHECK(p.is_quick());
  CHECK(p.soon_done(1));
  CHECK_FALSE(p.soon_done(30'000));
  CHECK(p.done_in_time(30'000));
  CHECK_FALSE(p.done_in_time(1'000'000));
  static_cast<void>(hold(p, for_a_while));
  CHECK_FALSE(p.is_quick());
}

TEST_CASE("pace: within a stretch of fast handlers the worker glances up every few microseconds", "[actor]") {
  pace p;
  for (int i = 0; i < 50; ++i) static_cast<void>(hold(p, nothing));
  p.begin_hold();
  unsigned messages = 0;
  unsigned glances = 0;
  unsigned ends = 0;
  while (ends != 8) {
    const auto begun = hand_clock::now();
    do nothing(), ++messages;
    while (!p.step());
    CHECK(hand_clock::now() - begun <= std::chrono::microseconds(3));
    CHECK(p.handled_in_hold() == messages);
    if (p.only_glances()) {
      ++glances;
    } else {
      ++ends;
      static_cast<void>(p.next_stretch());
    }
  }
  CHECK(glances > ends);
}

TEST_CASE(
    "pace: after a handler that took very long none is quick for as long, after the next for several times as long",
    "[actor]") {
  constexpr std::chrono::milliseconds very_long(5);
  pace p;
  for (int i = 0; i < 50; ++i) static_cast<void>(hold(p, nothing));
  // How long it is not quick after one such handler. That has been forgotten in the mean by then, not as a warning.
  const auto warned_for = [&] {
    const auto begun = hand_clock::now();
    const auto until_then = [&] {
      hand_clock::pass(very_long - std::min<hand_clock::duration>(very_long, hand_clock::now() - begun));
    };
    static_cast<void>(hold(p, until_then, true));
    CHECK_FALSE(p.is_quick());
    const auto over = hand_clock::now();
    for (int holds = 0; !p.is_quick() && holds < 1'000'000; ++holds) static_cast<void>(hold(p, nothing));
    CHECK(p.is_quick());
    return hand_clock::now() - over;
  };
  const auto first = warned_for();
  CHECK(first > very_long / 2);
  CHECK(first < 2 * very_long);
  const auto second = warned_for();
  CHECK(second > 5 * very_long);
  CHECK(second < 20 * very_long);
  // Long ago is as if never.
  hand_clock::pass(200 * very_long);
  CHECK(warned_for() < 2 * very_long);
}

TEST_CASE("pace: what the messages of a hold took is known of this hold alone, if it was measured", "[actor]") {
  pace p;
  static_cast<void>(hold(p, for_a_while));
  CHECK(p.measured_ns() == 100'000);
  p.begin_hold(true);
  nothing();
  static_cast<void>(p.step());
  CHECK(p.measured_ns() == 0);
  p.end_hold();
  CHECK(p.measured_ns() == 10);
  CHECK(p.ns_per_message() > 10);
  p.begin_hold_of_one();
  CHECK(p.measured_ns() == 0);
}
