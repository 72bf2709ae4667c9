// Cost meter: slow handlers make a worker look up after each message, fast ones seldom.
#include "dispatch/policy/cost_meter.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include "support/catch.hpp"

namespace cost_meter_test {

namespace {

// Time that passes while handlers run, and otherwise stands still.
struct hand_clock {
  using duration = std::chrono::nanoseconds;
  using time_point = std::chrono::time_point<std::chrono::steady_clock, duration>;
  static time_point now() { return now_; }
  static void pass(duration time) { now_ += time; }
  // Beside that the system may have taken the processor away.
  struct use {
    time_point at;
    duration time{};
    long waits = 0;
    static use read(time_point now) { return {now, now - time_point{} - away_, waits_}; }
  };
  static void lose(duration time) {
    now_ += time;
    away_ += time;
  }
  static void wait(duration time) {
    lose(time);
    ++waits_;
  }

 private:
  static inline time_point now_{std::chrono::hours(1)};
  static inline duration away_{};
  static inline long waits_ = 0;
};

using cost_meter = tact::dispatch::basic_cost_meter<hand_clock>;

std::uint64_t sent = 0;  // up to now

// Messages that run until the worker looks up once more; each takes as long as `work`.
template <class F>
unsigned stretch(cost_meter& p, F work) {
  unsigned messages = 1;
  for (work(); !p.step() || p.only_glances(); work()) ++messages;
  return messages;
}

// The worker looks up between two stretches. False: the hold is over.
bool look_up(cost_meter& p) {
  p.end_stretch(sent);
  return p.next_stretch(sent);
}

// Runs one whole hold; returns its messages.
template <class F>
unsigned hold(cost_meter& p, F work, bool measured = false) {
  p.begin_hold(sent, {.is_measured = measured});
  unsigned messages = 0;
  do messages += stretch(p, work);
  while (look_up(p));
  return messages;
}

void nothing() { hand_clock::pass(std::chrono::nanoseconds(10)); }
void for_a_while() { hand_clock::pass(std::chrono::microseconds(100)); }

}  // namespace

TEST_CASE("cost meter: before anything was measured handlers count as slow", "[actor]") {
  cost_meter p;
  p.begin_hold(sent);
  CHECK_FALSE(p.only_starts_clock());
  CHECK(p.worth_sharing(1));
  CHECK(stretch(p, nothing) == 1);
}

TEST_CASE("cost meter: a hold ends after a bounded number of stretches", "[actor]") {
  cost_meter p;
  for (int i = 0; i < 50; ++i) {
    const unsigned messages = hold(p, nothing);
    CHECK(messages >= 8);
    CHECK(messages <= 8 * 1024);
  }
}

TEST_CASE("cost meter: fast handlers are looked up from seldom and not worth sharing one by one", "[actor]") {
  cost_meter p;
  for (int i = 0; i < 50; ++i) static_cast<void>(hold(p, nothing));
  CHECK_FALSE(p.worth_sharing(1));
  CHECK(p.worth_sharing(1'000'000'000));
  p.begin_hold(sent);
  CHECK(p.only_starts_clock());
  CHECK(hold(p, nothing) > 100);
}

TEST_CASE("cost meter: handlers that become slow are noticed within one hold", "[actor]") {
  cost_meter p;
  for (int i = 0; i < 50; ++i) static_cast<void>(hold(p, nothing));
  static_cast<void>(hold(p, for_a_while));
  CHECK(p.worth_sharing(2));
  CHECK(hold(p, for_a_while) <= 16);
}

TEST_CASE("cost meter: what was measured of few messages counts for few more, so slow ones among them are noticed soon",
          "[actor]") {
  cost_meter p;
  p.begin_hold(sent);
  CHECK(stretch(p, [] { sent += 200; }) == 1);  // one handler that sends to many
  REQUIRE(look_up(p));
  CHECK(stretch(p, [] { hand_clock::pass(std::chrono::milliseconds(2)); }) == 1);
  static_cast<void>(look_up(p));
  CHECK_FALSE(p.is_quick());
}

TEST_CASE("cost meter: fast handlers are quick, slow ones are not", "[actor]") {
  cost_meter p;
  CHECK_FALSE(p.is_quick());
  for (int i = 0; i < 50; ++i) static_cast<void>(hold(p, nothing));
  CHECK(p.is_quick());
  static_cast<void>(hold(p, for_a_while));
  CHECK_FALSE(p.is_quick());
}

TEST_CASE("cost meter: handlers are quick if at most one of eight stretches is slow", "[actor]") {
  cost_meter p;
  const auto slow = [] { hand_clock::pass(std::chrono::microseconds(20)); };  // under a sanitizer too
  for (int i = 0; i < 50; ++i) static_cast<void>(hold(p, nothing));
  REQUIRE(p.is_quick());
  const auto measure = [&](auto work) {
    p.begin_hold(sent, {.is_measured = true});
    work();
    static_cast<void>(p.step());
    p.end_hold(sent);
  };
  for (int times = 0; times < 10; ++times) {
    measure(slow);
    CHECK(p.is_quick());
    for (int i = 0; i < 8; ++i) measure(nothing);
  }
  measure(slow);
  for (int i = 0; i < 7; ++i) measure(nothing);
  measure(slow);
  CHECK_FALSE(p.is_quick());
  measure(nothing);
  CHECK(p.is_quick());
}

TEST_CASE("cost meter: handlers are as quick as before when the system ran something else meanwhile", "[actor]") {
  cost_meter p;
  for (int i = 0; i < 50; ++i) static_cast<void>(hold(p, nothing));
  const auto once = [](auto during) {
    return [during, done = false]() mutable {
      nothing();
      if (!std::exchange(done, true)) during();
    };
  };
  static constexpr std::chrono::milliseconds long_time(5);
  static_cast<void>(hold(p, once([] { hand_clock::lose(long_time); }), true));
  CHECK(p.is_quick());
  SECTION("but not when a handler has waited") {
    static_cast<void>(hold(p, once([] { hand_clock::wait(long_time); }), true));
    CHECK_FALSE(p.is_quick());
  }
  SECTION("nor when it has computed for so long") {
    static_cast<void>(hold(p, once([] { hand_clock::pass(long_time); }), true));
    CHECK_FALSE(p.is_quick());
  }
}

TEST_CASE("cost meter: within a stretch of fast handlers the worker glances up every few microseconds", "[actor]") {
  cost_meter p;
  for (int i = 0; i < 50; ++i) static_cast<void>(hold(p, nothing));
  p.begin_hold(sent);
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
      static_cast<void>(look_up(p));
    }
  }
  CHECK(glances > ends);
}

TEST_CASE(
    "cost meter: after a handler that took very long none is quick for as long, after the next for several times as "
    "long",
    "[actor][law7]") {
  constexpr std::chrono::milliseconds very_long(5);
  cost_meter p;
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

TEST_CASE("cost meter: a handler that takes long because it sends much is quick, and no surprise", "[actor]") {
  cost_meter p;
  for (int i = 0; i < 50; ++i) static_cast<void>(hold(p, nothing));
  const auto once = [](std::uint64_t messages) {
    return [messages, done = false]() mutable {
      nothing();
      if (std::exchange(done, true)) return;
      hand_clock::pass(std::chrono::milliseconds(2));
      sent += messages;
    };
  };
  static_cast<void>(hold(p, once(100'000), true));
  CHECK(p.is_quick());
  static_cast<void>(hold(p, once(100), true));
  CHECK_FALSE(p.is_quick());
}

TEST_CASE("cost meter: messages are worth moving when they were measured to take more than a quarter microsecond",
          "[actor]") {
  cost_meter p;
  CHECK_FALSE(p.is_worth_moving());  // nothing is known
  static_cast<void>(hold(p, for_a_while));
  CHECK(p.is_worth_moving());
  for (int i = 0; i < 50; ++i) static_cast<void>(hold(p, nothing));
  REQUIRE(p.ns_per_message() == 10);
  CHECK_FALSE(p.is_worth_moving());
}

TEST_CASE("cost meter: messages that any worker may run are worth spreading until they are known to take little",
          "[actor]") {
  cost_meter p;
  CHECK(p.is_worth_spreading());  // nothing is known
  for (int i = 0; i < 50; ++i) static_cast<void>(hold(p, nothing));
  REQUIRE(p.ns_per_message() == 10);
  CHECK_FALSE(p.is_worth_spreading());
  static_cast<void>(hold(p, for_a_while));
  CHECK(p.is_worth_spreading());
}

TEST_CASE("cost meter: what the messages of a hold took is known of this hold alone, if it was measured", "[actor]") {
  cost_meter p;
  static_cast<void>(hold(p, for_a_while));
  CHECK(p.measured_ns() == 100'000);
  p.begin_hold(sent, {.is_measured = true});
  nothing();
  static_cast<void>(p.step());
  CHECK(p.measured_ns() == 0);
  p.end_hold(sent);
  CHECK(p.measured_ns() == 10);
  CHECK(p.ns_per_message() > 10);
  p.begin_hold_of_one();
  CHECK(p.measured_ns() == 0);
}

TEST_CASE("cost meter: a lane whose messages took long is looked up from as soon, after quick ones of other lanes",
          "[actor]") {
  constexpr std::uint64_t long_ns = 100'000;
  cost_meter p;
  for (int i = 0; i < 50; ++i) static_cast<void>(hold(p, nothing));
  p.begin_hold(sent, {.known_ns = long_ns});
  CHECK(stretch(p, for_a_while) == 1);
  static_cast<void>(look_up(p));
  CHECK(p.measured_ns() == long_ns);
  // If it takes no longer than others any more, that is soon found.
  for (int i = 0; i < 10; ++i) static_cast<void>(hold(p, nothing));
  p.begin_hold(sent, {.known_ns = long_ns});
  unsigned looked_up = 0;
  for (unsigned left = 1'000; left != 0; left -= std::min(left, stretch(p, nothing)), ++looked_up)
    if (looked_up != 0) static_cast<void>(look_up(p));
  CHECK(looked_up < 40);
}

TEST_CASE("cost meter: the first stretches of a hold are short, but not where the hold goes on", "[actor]") {
  cost_meter p;
  for (int i = 0; i < 50; ++i) static_cast<void>(hold(p, nothing));
  const bool goes_on = GENERATE(false, true);
  p.begin_hold(sent, {.is_measured = true, .goes_on = goes_on});
  CHECK(stretch(p, nothing) == (goes_on ? 1024 : 32));
  static_cast<void>(look_up(p));
  CHECK(stretch(p, nothing) == (goes_on ? 1024 : 64));
  int looked_up = 1;
  for (; look_up(p); ++looked_up) static_cast<void>(stretch(p, nothing));
  CHECK(looked_up == 7);  // it ends as soon as any other
}

TEST_CASE("cost meter: a stretch in which messages take longer than before is soon over", "[actor]") {
  cost_meter p;
  for (int i = 0; i < 50; ++i) static_cast<void>(hold(p, nothing));
  p.begin_hold(sent, {.is_measured = true});
  for (int i = 0; i < 5; ++i) {
    static_cast<void>(stretch(p, nothing));
    REQUIRE(look_up(p));
  }
  unsigned ran = 0;
  const unsigned all = stretch(p, [&] { ++ran <= 300 ? nothing() : for_a_while(); });
  CHECK(all > 300);
  CHECK(all <= 300 + 2 * 200);  // a glance comes every two microseconds, and a stretch has up to 1,024 messages
  p.end_stretch(sent);
  CHECK(p.measured_ns() > 10'000);
}

TEST_CASE("cost meter: every hold is measured while a message takes two microseconds, and else few", "[actor]") {
  const auto measured = [](std::uint64_t ns) {
    cost_meter p;
    for (int i = 0; i < 50; ++i)
      static_cast<void>(hold(
          p, [ns] { hand_clock::pass(std::chrono::nanoseconds(ns)); }, true));
    int times = 0;
    for (int i = 0; i < 640; ++i) {
      p.begin_hold(sent);
      hand_clock::pass(std::chrono::nanoseconds(ns));
      static_cast<void>(p.step());
      p.end_hold(sent);
      times += p.measured_ns() != 0;
    }
    return times;
  };
  CHECK(measured(2'500) == 640);
  CHECK(measured(1'500) == 640 / 16);
}

// If only one hold in so many were measured, a worker that had to hold its shards one by one would do so for
// milliseconds.
TEST_CASE("cost meter: after long handlers every hold is measured until it is known that these are over", "[actor]") {
  cost_meter p;
  const auto short_hold = [&](auto work, bool is_measured = false) {
    p.begin_hold(sent, {.is_measured = is_measured});
    work();
    static_cast<void>(p.step());
    p.end_hold(sent);
    return p.measured_ns() != 0;
  };
  for (int i = 0; i < 50; ++i) static_cast<void>(hold(p, nothing));
  for (int i = 0; i < 3; ++i) REQUIRE(short_hold(for_a_while, true));
  REQUIRE_FALSE(p.is_brief());
  unsigned holds = 0;
  for (; !p.is_brief() && holds < 1'000; ++holds) CHECK(short_hold(nothing));
  CHECK(holds <= 16);
  unsigned measured = 0;
  for (int i = 0; i < 640; ++i) measured += short_hold(nothing) ? 1U : 0U;
  CHECK(measured == 640 / 16);
}

TEST_CASE("cost meter: handlers keep their thread for what they take beyond a microsecond each", "[actor]") {
  cost_meter p;
  static_cast<void>(hold(p, nothing));
  CHECK(p.kept_ns() == 0);
  const unsigned messages = hold(p, for_a_while, true);
  CHECK(p.kept_ns() == messages * 99'000U);
  // Also where a handler sends so much that it is quick.
  const std::uint64_t before = p.kept_ns();
  p.begin_hold(sent, {.is_measured = true});
  for_a_while();
  sent += 10'000;
  static_cast<void>(p.step());
  p.end_hold(sent);
  CHECK(p.kept_ns() == before + 99'000);
}

TEST_CASE("cost meter: handlers are slow from ten microseconds on, and not before they were measured", "[actor]") {
  for (const unsigned us : {1u, 5u, 20u, 1000u}) {
    cost_meter p;
    CHECK_FALSE(p.is_slow());
    for (int i = 0; i < 50; ++i)
      static_cast<void>(hold(
          p, [us] { hand_clock::pass(std::chrono::microseconds(us)); }, true));
    INFO(us << " us");
    CHECK(p.is_slow() == (us >= 10));
  }
}

TEST_CASE("cost meter: what it takes to publish does not make handlers slow", "[actor]") {
  cost_meter p;
  for (int i = 0; i < 50; ++i) {
    p.begin_hold(sent);
    bool goes_on = true;
    while (goes_on) {
      static_cast<void>(stretch(p, nothing));
      p.end_stretch(sent);
      for_a_while();  // publishes
      goes_on = p.next_stretch(sent);
    }
  }
  CHECK(p.is_quick());
  CHECK(p.ns_per_message() < 100);
}

TEST_CASE("cost meter: what is left out of a stretch does not make handlers slow", "[actor]") {
  for (const bool is_left_out : {false, true}) {
    INFO("is_left_out=" << is_left_out);
    cost_meter p;
    const auto join_and_run = [&] {
      const auto from = hand_clock::now();
      for_a_while();  // joins a shard
      if (is_left_out) p.leave_out_since(from);
      nothing();
    };
    for (int i = 0; i < 50; ++i) static_cast<void>(hold(p, join_and_run, true));
    CHECK(p.is_quick() == is_left_out);
    CHECK((p.ns_per_message() < 100) == is_left_out);
  }
}

}  // namespace cost_meter_test
