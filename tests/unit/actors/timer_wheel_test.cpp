// The wheel of timers against a list that is searched.
#include "actors/time/timer_wheel.hpp"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "base/blocks.hpp"
#include "base/sanitized.hpp"
#include "base/system_blocks.hpp"
#include "support/catch.hpp"
#include "support/dice.hpp"
#include "support/seed.hpp"
#include "tact/detail/core.hpp"

namespace timer_wheel_test {

namespace {

using namespace tact;
using actors::timer_wheel;

// What is in the wheel, by time and turn; the key tells them apart.
using model = std::map<std::pair<std::int64_t, std::uint64_t>, std::uint64_t>;

class wheel_and_model {
 public:
  void add(std::int64_t due) {
    wheel.add(due, *nobody_there(), ++turn);
    expected[{due, turn}] = turn;
  }
  // All that is due by then comes, in order, and nothing else.
  void take_until(std::int64_t now) {
    while (const timer_wheel::entry* e = wheel.due_by(now)) {
      REQUIRE(!expected.empty());
      REQUIRE(e->key == expected.begin()->second);
      REQUIRE(e->due_ns == expected.begin()->first.first);
      REQUIRE(e->due_ns <= now);
      wheel.pop();
      expected.erase(expected.begin());
    }
    REQUIRE((expected.empty() || expected.begin()->first.first > now));
    REQUIRE(wheel.size() == expected.size());
    REQUIRE(wheel.next_ns() == (expected.empty() ? timer_wheel::never : expected.begin()->first.first));
  }

  timer_wheel wheel;
  model expected;
  std::uint64_t turn = 0;

 private:
  // Never looked at.
  static detail::timer_record* nobody_there() { return reinterpret_cast<detail::timer_record*>(4096); }
};

// Near, far, very far, and the same again.
std::int64_t some_time(support::dice& dice, std::int64_t now) {
  const unsigned bits = dice.below(dice.one_in(10) ? 60 : 36);
  const std::int64_t away = static_cast<std::int64_t>(dice.next() & ((std::uint64_t{1} << bits) - 1));
  return dice.one_in(8) ? now : now + away;
}

}  // namespace

TEST_CASE("timer_wheel: timers come in the order of their times and turns, none early and none late", "[actor]") {
  TACT_SEEDED(seed);
  support::dice dice(seed);
  const bool prepares = GENERATE(false, true);
  INFO("prepares=" << prepares);
  for (int round = 0; round < 40; ++round) {
    wheel_and_model both;
    std::int64_t now = static_cast<std::int64_t>(dice.next() >> (2 + dice.below(40)));
    for (int step = 0; step < 200; ++step) {
      for (unsigned n = dice.below(12); n > 0; --n) both.add(some_time(dice, now));
      for (unsigned n = prepares ? dice.below(3) : 0; n > 0; --n) static_cast<void>(both.wheel.prepare());
      if (dice.one_in(3)) continue;
      // To the next one, or anywhere.
      const std::int64_t next = both.wheel.next_ns();
      now = dice.one_in(2) && next != timer_wheel::never ? std::max(now, next) : some_time(dice, now);
      both.take_until(now);
    }
    both.take_until(timer_wheel::never - 1);
    REQUIRE(both.expected.empty());
  }
}

TEST_CASE("timer_wheel: what is thrown out is gone, and the others come as before", "[actor]") {
  TACT_SEEDED(seed);
  support::dice dice(seed);
  const bool prepares = GENERATE(false, true);
  INFO("prepares=" << prepares);
  for (int round = 0; round < 40; ++round) {
    wheel_and_model both;
    std::int64_t now = 1'000'000'000;
    for (int step = 0; step < 20; ++step) {
      for (int n = 0; n < 40; ++n) both.add(some_time(dice, now));
      if (prepares && dice.one_in(2)) static_cast<void>(both.wheel.prepare());
      both.take_until(now += 50'000);
      const std::uint64_t odd = 2 + dice.below(3);
      const auto is_out = [&](std::uint64_t key) { return key % odd == 0; };
      const std::size_t before = both.expected.size();
      std::erase_if(both.expected, [&](const auto& one) { return is_out(one.second); });
      REQUIRE(both.wheel.remove_if([&](const auto& e) { return is_out(e.key); }) == before - both.expected.size());
      both.take_until(now);
    }
    both.take_until(timer_wheel::never - 1);
  }
}

TEST_CASE("timer_wheel: what is visited part by part, until ten are found, has the ten that are due first", "[actor]") {
  TACT_SEEDED(seed);
  support::dice dice(seed);
  for (int round = 0; round < 50; ++round) {
    wheel_and_model both;
    std::int64_t now = 1'000'000'000;
    for (int step = 0; step < 20; ++step) {
      for (int n = 0; n < 40; ++n) both.add(some_time(dice, now));
      if (dice.one_in(2)) now = some_time(dice, now);
      both.take_until(now);
      static_cast<void>(both.wheel.prepare());
      std::vector<std::pair<std::int64_t, std::uint64_t>> seen;
      both.wheel.for_each_early([&](const timer_wheel::entry& e) { seen.emplace_back(e.due_ns, e.arrival); },
                                [&] { return seen.size() >= 10; });
      std::sort(seen.begin(), seen.end());
      REQUIRE(seen.size() >= std::min<std::size_t>(10, both.expected.size()));
      std::size_t i = 0;
      for (auto at = both.expected.begin(); at != both.expected.end() && i < 10; ++at, ++i)
        REQUIRE(seen[i] == at->first);
    }
  }
}

TEST_CASE("timer_wheel: one that is never due stays", "[actor]") {
  wheel_and_model both;
  both.add(timer_wheel::never);
  both.take_until(timer_wheel::never - 1);
  REQUIRE(both.wheel.size() == 1);
}

TEST_CASE("timer_wheel: a slot of many is divided ahead a part at a time, whatever comes meanwhile", "[actor]") {
  TACT_SEEDED(seed);
  support::dice dice(seed);
  constexpr std::int64_t slot = std::int64_t{1} << 28;  // of the third level
  wheel_and_model both;
  const auto add_many = [&](int count, std::int64_t from, std::int64_t length) {
    for (int n = 0; n < count; ++n) both.add(from + dice.below(static_cast<std::uint32_t>(length)));
  };
  std::int64_t now = 0;
  add_many(20'000, 4 * slot, slot);
  unsigned parts = 0;
  while (both.wheel.prepare()) {
    ++parts;
    add_many(10, 4 * slot, slot);
    both.take_until(now += 1000);
  }
  CHECK(parts >= 9);
  CHECK_FALSE(both.wheel.prepare());  // until there is more
  // Half of them go, and others come: for what is divided, and earlier.
  const auto is_out = [](std::uint64_t key) { return key % 2 == 0; };
  std::erase_if(both.expected, [&](const auto& one) { return is_out(one.second); });
  static_cast<void>(both.wheel.remove_if([&](const auto& e) { return is_out(e.key); }));
  both.take_until(now);
  add_many(5'000, 4 * slot, slot);
  add_many(1'000, now, slot);
  while (now < 6 * slot) {
    static_cast<void>(both.wheel.prepare());
    both.take_until(now += 3'000'000);
  }
  REQUIRE(both.expected.empty());
}

namespace {

std::uint64_t bytes_held() { return base::read_block_usage().bytes_held; }

// What fits into the room that a wheel without timers may keep.
constexpr std::uint64_t few_bytes = 1'500'000;

void fire_until(timer_wheel& wheel, std::int64_t now) {
  while (wheel.due_by(now) != nullptr) wheel.pop();
}

}  // namespace

TEST_CASE("timer_wheel: what a burst took is held until it has fired, counted, and given back then", "[actor][law10]") {
  constexpr unsigned burst = base::under_tsan ? 30'000 : 300'000;
  auto* const nobody = reinterpret_cast<detail::timer_record*>(4096);  // never looked at
  const auto trimmed = [] {
    base::trim_blocks();
    while (base::trim_shared_blocks()) {
    }
    return bytes_held();
  };
  detail::free_block(detail::allocate_block(1), 1);  // the first block of a process also fills the reserve
  const std::uint64_t before = trimmed();
  {
    timer_wheel wheel;
    std::int64_t now = 1'000'000'000;
    const std::int64_t spread = GENERATE(as<std::int64_t>(), 0, 300'000, 100'000'000, 300'000'000'000);
    const bool prepares = GENERATE(false, true);
    INFO("spread=" << spread << " prepares=" << prepares);
    for (int round = 0; round < 3; ++round) {
      for (unsigned i = 0; i < burst; ++i) wheel.add(now + 1 + spread / burst * i, *nobody, 1);
      CHECK(bytes_held() >= before + burst * sizeof(timer_wheel::entry));
      while (prepares && wheel.prepare()) {
      }
      fire_until(wheel, now += spread + 1);
      CHECK(wheel.size() == 0);
      CHECK(bytes_held() <= before + few_bytes);
      // The same for what is thrown out before it is due.
      for (unsigned i = 0; i < burst; ++i) wheel.add(now + 1 + spread / burst * i, *nobody, 1);
      CHECK(wheel.remove_if([](const auto&) { return true; }) == burst);
      CHECK(bytes_held() <= before + few_bytes);
    }
  }
  CHECK(trimmed() == before);
}

TEST_CASE("timer_wheel: a hundred thousand a second for a minute hold the memory of those that wait",
          "[actor][law10]") {
  constexpr std::int64_t step_ns = 10'000;
  constexpr std::int64_t minute_ns = 60'000'000'000;
  auto* const nobody = reinterpret_cast<detail::timer_record*>(4096);
  const std::uint64_t before = bytes_held();
  timer_wheel wheel;
  std::uint64_t most_bytes = 0;
  std::uint64_t most = 0;
  const std::int64_t begin = 1'000'000'000;
  for (std::int64_t now = begin; now < begin + minute_ns; now += step_ns) {
    wheel.add(now + 1'000'000 + now * 7919 % 1'000'000'000, *nobody, 1);
    if (now % 1'000'000 == 0) fire_until(wheel, now);
    most = std::max(most, wheel.size());
    if (now % 10'000'000 == 0) most_bytes = std::max(most_bytes, bytes_held() - before);
  }
  CHECK(most_bytes <= most * sizeof(timer_wheel::entry) * 4 + few_bytes);  // a vector grows by doubling
  fire_until(wheel, begin + minute_ns + 2'000'000'000);
  CHECK(wheel.size() == 0);
  CHECK(bytes_held() <= before + few_bytes);
}

}  // namespace timer_wheel_test
