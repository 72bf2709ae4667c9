// The conversion of all durations and times that users give, and what a wait does whose time is over.
#include "tact/detail/deadline.hpp"

#include <rapidcheck.h>

#include <limits>

#include "support/catch.hpp"
#include "support/dice.hpp"
#include "support/engine_fixture.hpp"
#include "support/extreme_times.hpp"
#include "support/fast_math.hpp"
#include "support/seed.hpp"
#include "sync/eventcount.hpp"
#include "sync/system.hpp"
#include "sync/wait_word.hpp"
#include "tact/patterns/detail/backoff.hpp"
#include "tact/simulation.hpp"

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

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double no_number = std::numeric_limits<double>::quiet_NaN();

// A time that a delay may be: one near to an end of what there is, or any.
nanoseconds draw_delay() {
  const auto near_end = rc::gen::map(rc::gen::inRange(0, 2048), [](int n) { return never_ns - n; });
  const auto near_none = rc::gen::map(rc::gen::inRange(0, 2048), [](int n) { return std::int64_t{n}; });
  const auto any =
      rc::gen::apply([](std::uint64_t bits, int shift) { return static_cast<std::int64_t>(bits >> shift); },
                     rc::gen::resize(rc::kNominalSize, rc::gen::arbitrary<std::uint64_t>()), rc::gen::inRange(1, 64));
  return nanoseconds(*rc::gen::oneOf(near_end, near_none, any));
}

struct question {
  using reply = int;
};
struct asked : protocol<request<question>> {};
struct block {};

// How often the calling thread gives its processor up in f.
template <class F>
long sleeps_in(F f) {
  const auto waits = [] { return sync::processor_use::read(steady_clock::now()).waits; };
  const long before = waits();
  f();
  return waits() - before;
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

TEST_CASE("deadline: sums saturate on both sides", "[api]") {
  constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();
  using detail::sum_ns;
  CHECK(sum_ns(1, 2) == 3);
  CHECK(sum_ns(never_ns, 0) == never_ns);
  CHECK(sum_ns(never_ns, 1) == never_ns);
  CHECK(sum_ns(never_ns, never_ns) == never_ns);
  CHECK(sum_ns(never_ns, least) == -1);
  CHECK(sum_ns(least, least) == least);
  CHECK(sum_ns(least, -1) == least);
  CHECK(sum_ns(-1, least) == least);
}

TEST_CASE("deadline: what is no number is never, and neither positive nor a factor, with -ffast-math too", "[api]") {
  namespace fast = support::fast_math;
  for (const double none : {no_number, -no_number}) {
    CHECK_FALSE(detail::is_number(none));
    CHECK(whole_ns(duration<double>(none)) == never_ns);
    CHECK_FALSE(detail::is_positive(duration<double>(none)));
    CHECK(fast::whole_ns(none) == never_ns);
    CHECK_FALSE(fast::is_positive(none));
    CHECK(fast::refuses_factor(none));
    CHECK(fast::refuses_jitter(none));
  }
  for (const double some : {0.0, -0.0, 1.0, -1e300, 1e300, infinity, -infinity}) CHECK(detail::is_number(some));
  CHECK(fast::whole_ns(infinity) == never_ns);
  CHECK(fast::whole_ns(-infinity) == 0);
  CHECK(fast::whole_ns(1e300) == never_ns);
  CHECK(fast::whole_ns(2) == 1'000'000'000);
  CHECK(fast::is_positive(1e-9));
  CHECK_FALSE(fast::is_positive(0));
  CHECK_FALSE(fast::refuses_factor(infinity));
}

TEST_CASE("deadline: delays that grow become neither shorter, nor longer than the longest, whatever that is", "[api]") {
  const bool holds = rc::check("each delay is between its limits", [] {
    const double factor = *rc::gen::element(1.0, 1.0000001, 1.5, 2.0, 10.0, 1e18, 1e300, infinity);
    const double jitter = *rc::gen::element(0.0, 1e-300, 0.5, 1.0);
    const detail::backoff b{draw_delay(), factor, draw_delay(), jitter, *rc::gen::arbitrary<std::uint64_t>()};
    b.look_at("test");
    const detail::backoff exact{b.first, factor, b.most, 0, 0};
    RC_ASSERT(exact.after(1, 0) == std::min(b.first, b.most));
    auto before = nanoseconds(0);
    for (const std::uint64_t failures : {1ULL, 2ULL, 3ULL, 10ULL, 63ULL, 1'000'000ULL, ~0ULL}) {
      const nanoseconds delay = exact.after(failures, 0);
      RC_ASSERT(delay >= before);
      RC_ASSERT(delay <= b.most);
      const nanoseconds shorter = b.after(failures, failures);
      RC_ASSERT(shorter >= nanoseconds(0));
      RC_ASSERT(shorter <= delay);
      before = delay;
    }
    if (b.first > nanoseconds(0) && factor >= 1.5) RC_ASSERT(exact.after(~0ULL, 0) == b.most);
  });
  CHECK(holds);
}

TEST_CASE("deadline: a wait whose deadline has passed does not sleep", "[api]") {
  constexpr int times = 200;
  const auto until = GENERATE(steady_clock::time_point{}, steady_clock::now());
  sync::wait_word<sync::real>::word word{0};
  sync::eventcount<sync::real> event;
  const long sleeps = sleeps_in([&] {
    for (int i = 0; i < times; ++i) {
      (void)sync::wait_word<sync::real>::wait(word, until);
      (void)event.wait(event.prepare(), until);
    }
  });
  CHECK(sleeps < times / 4);
}

TEST_CASE("deadline: of many asks whose time is over ask_all waits for one", "[api]") {
  constexpr int times = 200;
  simulation sim(1);
  auto& e = sim.engine(support::quiet_options(1));
  const auto silent = e.create(behavior<asked>([](auto& self, const request<question>& m) { self.defer(m); }));
  // Each wait is a point at which another thread may go first.
  const auto points_of = [&](auto call) {
    sim.run();
    const std::uint64_t before = sim.points();
    call();
    sim.run();
    return sim.points() - before;
  };
  const std::vector<ref<asked>> all(times, silent);
  const auto together = points_of([&] { CHECK(!e.ask_all(all, question{}, 1s).back()); });
  const auto one_by_one = points_of([&] {
    for (const auto to : all) CHECK(!e.ask(to, question{}, 0s));
  });
  CHECK(together + times / 2 < one_by_one);
}

TEST_CASE("deadline: a call whose limit is over does not sleep", "[api]") {
  constexpr int times = 200;
  support::door held;
  support::meeting begun(2);
  tact::engine e(support::quiet_options(1));
  const auto holds = e.create(behavior<block>([&](auto&, const block&) {
    (void)begun.join();
    (void)held.pass();
  }));
  const auto silent = e.create(behavior<asked>([](auto& self, const request<question>& m) { self.reply(m, 1); }));
  const auto full = e.create(behavior<block>([](auto&, const block&) {}),
                             mailbox_limit{.messages = 1, .when_full = when_full::hold_back});
  tact::scope group(e);
  (void)group.create(sink<block>());
  e.send(holds, block{});
  REQUIRE(begun.join());
  e.send(full, block{});
  const std::vector<ref<asked>> all(times, silent);
  const auto often = [&](auto call) {
    for (int i = 0; i < times; ++i) call();
  };
  CHECK(sleeps_in([&] { often([&] { CHECK(!e.ask(silent, question{}, 0s)); }); }) < times / 4);
  CHECK(sleeps_in([&] { CHECK(!e.ask_all(all, question{}, 0s).front()); }) < times / 4);
  CHECK(sleeps_in([&] { often([&] { CHECK_FALSE(e.wait_idle(0s)); }); }) < times / 4);
  CHECK(sleeps_in([&] { often([&] { CHECK_FALSE(e.wait_finished(-1h)); }); }) < times / 4);
  CHECK(sleeps_in([&] { often([&] { CHECK_FALSE(e.drain(0s)); }); }) < times / 4);
  CHECK(sleeps_in([&] { often([&] { CHECK_FALSE(group.wait(0s)); }); }) < times / 4);
  CHECK(sleeps_in([&] { often([&] { CHECK(e.send_for(0s, full, block{}) == send_result::full); }); }) < times / 4);
  held.open();
  support::require_idle(e);
}

}  // namespace deadline_test
