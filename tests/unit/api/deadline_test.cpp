// The conversion of all durations and times that users give.
#include "tact/detail/deadline.hpp"

#include "support/catch.hpp"
#include "support/dice.hpp"
#include "support/extreme_times.hpp"
#include "support/seed.hpp"

namespace deadline_test {

namespace {

using namespace tact;
using namespace std::chrono;
using namespace std::chrono_literals;
using detail::never_ns;
using detail::whole_ns;

constexpr long double ns_each_second = 1e9L;

// Far enough from the end that a long double is exact.
template <class Rep, class Period>
long double exact_ns(duration<Rep, Period> d) {
  return static_cast<long double>(d.count()) * ns_each_second * Period::num / Period::den;
}

}  // namespace

TEST_CASE("deadline: nanoseconds are rounded up, and saturate on both sides", "[api]") {
  support::for_each_past_time([](auto d) { CHECK(whole_ns(d) == 0); });
  support::for_each_far_time([](auto d) { CHECK(whole_ns(d) > whole_ns(years(100))); });
  CHECK(whole_ns(1ns) == 1);
  CHECK(whole_ns(duration<double>(1e-300)) == 1);
  CHECK(whole_ns(support::picoseconds(1)) == 1);
  CHECK(whole_ns(support::picoseconds(2001)) == 3);
  CHECK(whole_ns(support::thirds(1)) == 333'333'334);
  CHECK(whole_ns(support::short_hours::max()) == nanoseconds(127h).count());
  CHECK(whole_ns(support::unsigned_attoseconds::max()) == 18'446'744'074);
  CHECK(whole_ns(nanoseconds(never_ns - 1)) == never_ns - 1);
  CHECK(whole_ns(hours(2'562'047)) == nanoseconds(2'562'047h).count());
  CHECK(whole_ns(hours(2'562'048)) == never_ns);
}

TEST_CASE("deadline: any duration becomes the least number of nanoseconds that are not less", "[api]") {
  TACT_SEEDED(seed);
  support::dice dice(seed);
  const auto check = [](auto d) {
    const long double exact = exact_ns(d);
    const std::int64_t ns = whole_ns(d);
    REQUIRE(ns >= 0);
    if (exact <= 0) REQUIRE(ns == 0);
    if (exact > 0 && ns != never_ns) {
      REQUIRE(static_cast<long double>(ns) >= exact * (1 - 1e-18L));
      REQUIRE(static_cast<long double>(ns) <= exact * (1 + 1e-18L) + 1);
    }
    if (exact >= static_cast<long double>(never_ns)) REQUIRE(ns == never_ns);
  };
  for (int i = 0; i < 20'000; ++i) {
    const auto count = static_cast<std::int64_t>(dice.next()) >> dice.below(64);
    check(nanoseconds(count));
    check(microseconds(count));
    check(seconds(count));
    check(hours(count));
    check(support::picoseconds(count));
    check(support::thirds(count));
    check(support::exaseconds(count));
    check(support::unsigned_seconds(static_cast<std::uint64_t>(count)));
    check(duration<double>(static_cast<double>(count) / 1e9));
    check(duration<float, std::milli>(static_cast<float>(count)));
  }
}

TEST_CASE("deadline: none is before its beginning, and what the clock cannot say is never", "[api]") {
  const auto since = GENERATE(steady_clock::time_point{}, steady_clock::time_point(1h), steady_clock::now(),
                              steady_clock::time_point::max() - 1h, steady_clock::time_point::max());
  const auto after = [&](auto d) { return detail::deadline_after(since, whole_ns(d)); };
  support::for_each_past_time([&](auto d) {
    if (since != steady_clock::time_point::max()) CHECK(after(d) == since);
  });
  support::for_each_far_time([&](auto d) {
    const auto until = after(d);
    CHECK((!until || *until > since));
  });
  CHECK(!after(nanoseconds::max()));
  CHECK(!after(hours::max()));
}

TEST_CASE("deadline: times of any duration are times of the clock", "[api]") {
  using detail::clock_time;
  const auto at = [](auto d) { return std::chrono::time_point<steady_clock, decltype(d)>(d); };
  support::for_each_past_time([&](auto d) { CHECK(clock_time(at(d)) <= steady_clock::time_point()); });
  support::for_each_far_time([&](auto d) { CHECK(clock_time(at(d)) > steady_clock::time_point(24h * 365 * 100)); });
  CHECK(clock_time(at(3s)) == steady_clock::time_point(3s));
}

}  // namespace deadline_test
