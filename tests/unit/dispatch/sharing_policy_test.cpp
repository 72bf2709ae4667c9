// Whether a worker holds its shards together, in any situation.
#include "dispatch/policy/sharing_policy.hpp"

#include <cstdint>
#include <string>

#include "support/catch.hpp"
#include "support/dice.hpp"
#include "support/seed.hpp"

namespace sharing_policy_test {

namespace {

using tact::dispatch::backoff;
using tact::dispatch::sharing_policy;
using tact::dispatch::situation;
namespace prices = tact::dispatch::prices;

constexpr std::uint64_t none = 0, many = 1'000'000'000;

situation quick_beside_idle(std::uint64_t ns) {
  return {.ns_per_message = ns, .is_quick = true, .is_brief = true, .other_is_idle = true};
}

// A row of docs/scheduling.md: what a worker that holds one shard, or several, may do in a situation.
struct row {
  std::string what;
  situation now;
  bool joins;       // may hold one more
  bool stays_long;  // goes on although others could run much of what waits, for as long as a division costs and longer
};

}  // namespace

TEST_CASE("sharing policy: in each situation shards are held together, and stay so, as the table says", "[dispatch]") {
  const row table[] = {
      {"nothing is known of handlers", {}, false, false},
      {"quick, and all others are busy", {.ns_per_message = 50, .is_quick = true, .is_brief = true}, true, true},
      {"quick, beside an idle worker", quick_beside_idle(50), true, false},
      {"brief, and all others are busy", {.ns_per_message = 1'000, .is_brief = true}, true, true},
      {"brief, beside an idle worker",
       {.ns_per_message = 1'000, .is_brief = true, .other_is_idle = true},
       false,
       false},
      {"long", {.ns_per_message = 5'000}, false, false},
      {"long, in an engine of one worker", {.ns_per_message = 5'000, .runs_alone = true}, true, true},
      {"long, while the others rest", {.ns_per_message = 5'000, .runs_alone = true, .others_rest = true}, false, false},
      {"brief, while the others rest",
       {.ns_per_message = 1'000, .is_brief = true, .runs_alone = true, .others_rest = true},
       true,
       true},
  };
  for (const row& r : table) {
    CAPTURE(r.what);
    sharing_policy policy;
    situation now = r.now;
    CHECK(policy.may_join(now) == r.joins);
    now.handled = many;
    CHECK(policy.may_stay_joined(now, 100, [] { return many; }) == r.stays_long);
  }
}

// Ski rental: what was lost by waiting is what dividing costs, to a message.
TEST_CASE("sharing policy: a lane is divided when it has gone on beside an idle worker for what that costs",
          "[dispatch]") {
  CAPTURE(tact::support::seed());
  tact::support::dice roll(tact::support::seed());
  for (int i = 0; i < 2'000; ++i) {
    const std::uint64_t ns = 1 + roll.below(240), waiting = 1 + roll.below(100'000), step = 1 + roll.below(500);
    const std::uint64_t price = sharing_policy::price_of_division(waiting);
    sharing_policy policy;
    situation now = quick_beside_idle(ns);
    std::uint64_t beside = 0;
    do {
      now.handled += step;
      now.other_is_idle = roll.below(4) != 0;
      if (now.other_is_idle) beside += step;
    } while (policy.may_stay_joined(now, waiting, [] { return many; }));
    CAPTURE(ns, waiting, step, beside, price);
    CHECK(beside * ns >= price);
    CHECK((beside - step) * ns < price);
  }
}

TEST_CASE("sharing policy: what nobody else could run is never divided", "[dispatch]") {
  sharing_policy policy;
  situation now = quick_beside_idle(100);
  for (int i = 0; i < 1'000; ++i) {
    now.handled += 1'000'000;
    CHECK(policy.may_stay_joined(now, 1'000, [] { return none; }));
  }
}

// What waits is worth less than a wake-up, so of messages of 5 ns there are up to 4,000. The parts of little work send
// to each other, so the worker soon holds them together again, and all goes on for ever.
TEST_CASE("sharing policy: under a constant load of little work divisions become rare, and cost a hundredth at most",
          "[dispatch]") {
  CAPTURE(tact::support::seed());
  tact::support::dice roll(tact::support::seed());
  for (int i = 0; i < 50; ++i) {
    const std::uint64_t ns = 5 + roll.below(240);
    const std::uint64_t waiting = 1 + roll.below(static_cast<std::uint32_t>(prices::wake_up_ns / ns));
    sharing_policy policy;
    situation now = quick_beside_idle(ns);
    std::uint64_t divisions = 0, divided_ns = 0;
    constexpr std::uint64_t second_ns = 1'000'000'000;
    const std::uint64_t step = 1 + 1'000 / ns;
    while (now.ns_of(now.handled) < second_ns) {
      now.handled += step;
      if (policy.may_stay_joined(now, waiting, [=] { return waiting / 2; })) continue;
      policy.will_divide(now, [=] { return waiting / 2; });
      policy.has_divided(now, waiting);
      ++divisions;
      divided_ns += sharing_policy::price_of_division(waiting);
      while (!policy.may_join(now)) now.handled += step;
    }
    CAPTURE(ns, waiting, divisions, divided_ns);
    CHECK(divisions <= backoff::doublings_most + second_ns / (prices::long_ns << backoff::doublings_most) + 1);
    CHECK(divided_ns < second_ns / 100);
  }
}

TEST_CASE("sharing policy: after a division shards join again when as much was run as was moved", "[dispatch]") {
  sharing_policy policy;
  situation now = quick_beside_idle(100);
  now.handled = 7;
  policy.has_divided(now, 100);
  now.handled += 99;
  CHECK_FALSE(policy.may_join(now));
  now.handled += 1;
  CHECK(policy.may_join(now));
}

TEST_CASE("sharing policy: what is over before a worker is awake is run here", "[dispatch]") {
  const situation now{.ns_per_message = 100};
  CHECK(sharing_policy::is_over_soon(now, prices::wake_up_ns / 100));
  CHECK_FALSE(sharing_policy::is_over_soon(now, prices::wake_up_ns / 100 + 1));
}

}  // namespace sharing_policy_test
