// How often something is done again that may be in vain.
#include "dispatch/policy/backoff.hpp"

#include <cstdint>

#include "support/catch.hpp"

namespace backoff_test {

namespace {

using tact::dispatch::backoff;

constexpr std::uint64_t least = 20;

// How often it is done in so much time, if it is looked at each `least`.
unsigned times_within(backoff& b, std::uint64_t& now, std::uint64_t time, bool of_use) {
  unsigned times = 0;
  for (const std::uint64_t end = now + time; now < end; now += least) {
    if (!b.is_due(now)) continue;
    of_use ? b.was_of_use(now) : b.was_in_vain(now);
    ++times;
  }
  return times;
}

}  // namespace

TEST_CASE("backoff: what is in vain becomes rare, and costs a small part of the time for ever", "[dispatch]") {
  backoff b(least);
  std::uint64_t now = least;
  constexpr std::uint64_t longest = least << backoff::doublings_most;
  CHECK(times_within(b, now, 2 * longest, false) <= backoff::doublings_most + 1);
  CHECK(times_within(b, now, 100 * longest, false) <= 100);
}

TEST_CASE("backoff: what is of use is done as often as it may be, soon after it was in vain for long", "[dispatch]") {
  backoff b(least);
  std::uint64_t now = least;
  CHECK(times_within(b, now, 100 * least, true) == 100);
  static_cast<void>(times_within(b, now, 1'000'000, false));
  constexpr std::uint64_t longest = least << backoff::doublings_most;
  static_cast<void>(times_within(b, now, 3 * longest, true));
  CHECK(b.wait() == least);
  CHECK(times_within(b, now, 100 * least, true) == 100);
}

TEST_CASE("backoff: when it begins anew the next wait is the least one", "[dispatch]") {
  backoff b(least);
  for (unsigned i = 0; i < 2 * backoff::doublings_most; ++i) b.was_in_vain(0);
  CHECK(b.wait() == (least << backoff::doublings_most));
  b.begin_anew();
  CHECK(!b.is_due(least - 1));
  CHECK(b.is_due(least));
}

}  // namespace backoff_test
