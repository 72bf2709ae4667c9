// When a busy worker calls for help.
#include "dispatch/policy/help_call.hpp"

#include "support/catch.hpp"

namespace help_call_test {

namespace {

using std::chrono::microseconds;
using tact::dispatch::help_call;
using time_point = help_call::clock::time_point;

// The calls that come through within `span` when one is tried every 20 microseconds; with each, `range` changes or not.
unsigned calls_within(help_call& h, time_point from, microseconds span, bool stolen_from) {
  unsigned calls = 0;
  for (auto t = from; t < from + span; t += microseconds(20)) {
    if (h.may_call(stolen_from ? 7 + calls : 7, t)) ++calls;
  }
  return calls;
}

}  // namespace

TEST_CASE("help_call: calls that help nobody become rare, others do not", "[dispatch]") {
  const time_point start{std::chrono::hours(1)};
  help_call useless, useful;
  // 20 + 40 + ... + 640, then every 1.28 ms.
  CHECK(calls_within(useless, start, microseconds(128'000), false) <= 6 + 100);
  CHECK(calls_within(useless, start + microseconds(128'000), microseconds(128'000), false) <= 101);
  CHECK(calls_within(useful, start, microseconds(100'000), true) == 5'000);
}

TEST_CASE("help_call: after some thefts the next call comes soon again", "[dispatch]") {
  time_point now{std::chrono::hours(1)};
  help_call h;
  for (int i = 0; i < 20; ++i) {
    static_cast<void>(h.may_call(1, now));
    now += microseconds(2'000);
  }
  for (std::uint64_t range = 2; range < 9; ++range) {  // each time a worker has stolen
    CHECK(h.may_call(range, now));
    now += microseconds(640);
  }
  CHECK(h.may_call(9, now));
  CHECK_FALSE(h.may_call(9, now + microseconds(19)));
  CHECK(h.may_call(9, now + microseconds(20)));
}

TEST_CASE("help_call: until holds are measured one is worth a call, and nothing is measured across a rest",
          "[dispatch]") {
  help_call h;
  CHECK(h.worth(1));
  CHECK_FALSE(h.worth(0));
  CHECK_FALSE(h.hold_ended());  // only starts the clock
  h.rest();
  CHECK_FALSE(h.hold_ended());
  CHECK(h.hold_ended());
}

}  // namespace help_call_test
