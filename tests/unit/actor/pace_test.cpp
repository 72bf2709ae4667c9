// Pace: slow handlers make a worker look up after each message, fast ones seldom.
#include "actor/pace.hpp"

#include "support/catch.hpp"

namespace {

using tact::actor::pace;

// Messages that run until the worker looks up once more; each takes as long as `work`.
template <class F>
unsigned stretch(pace& p, F work) {
  unsigned messages = 1;
  for (work(); !p.step(); work()) ++messages;
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

void nothing() {}
void for_a_while() {
  const auto until = std::chrono::steady_clock::now() + std::chrono::microseconds(100);
  while (std::chrono::steady_clock::now() < until) continue;
}

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
  // Where the system takes this thread off its processing unit for long, that looks like a slow handler for a while.
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  for (int i = 0; i < 50 || (!p.is_quick() && std::chrono::steady_clock::now() < end); ++i) {
    static_cast<void>(hold(p, nothing));
  }
  CHECK(p.is_quick());
  CHECK(p.soon_done(1));
  CHECK_FALSE(p.soon_done(1'000'000));
  static_cast<void>(hold(p, for_a_while));
  CHECK_FALSE(p.is_quick());
}

TEST_CASE("pace: after a handler that took very long none is quick for several times as long", "[actor]") {
  constexpr std::chrono::milliseconds very_long(5);
  pace p;
  for (int i = 0; i < 50; ++i) static_cast<void>(hold(p, nothing));
  const auto begun = std::chrono::steady_clock::now();
  const auto until_then = [&] {
    while (std::chrono::steady_clock::now() - begun < very_long) continue;
  };
  static_cast<void>(hold(p, until_then, true));
  // It has been forgotten in the mean by then, but not as a warning.
  const auto end = begun + std::chrono::seconds(60);
  while (!p.is_quick() && std::chrono::steady_clock::now() < end) static_cast<void>(hold(p, nothing));
  CHECK(p.is_quick());
  CHECK(std::chrono::steady_clock::now() - begun > 5 * very_long);
}
