// How durations and times that users give are converted to what the library's clock can say. Every call that takes one
// converts it here, and what is computed with them is computed here, so that no result runs over.
#pragma once

#include <bit>
#include <chrono>
#include <concepts>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>

namespace tact::detail {

// Stands for `never`: for a time beyond what nanoseconds can say, and for one that is no number.
inline constexpr std::int64_t never_ns = (std::numeric_limits<std::int64_t>::max)();

// False: NaN. It looks at the bits, because a compiler that is told -ffast-math takes each comparison of a NaN for what
// it likes.
[[nodiscard]] constexpr bool is_number(double x) noexcept {
  constexpr std::uint64_t infinity = 0x7ff0'0000'0000'0000;
  return (std::bit_cast<std::uint64_t>(x) & ~(std::uint64_t{1} << 63)) <= infinity;
}

// False also for what is no number.
template <class Rep, class Period>
[[nodiscard]] constexpr bool is_positive(std::chrono::duration<Rep, Period> d) {
  if constexpr (!std::integral<Rep>) {
    if (!is_number(static_cast<double>(d.count()))) return false;
  }
  return d > d.zero();
}

// a + b, or the nearest that there is.
[[nodiscard]] constexpr std::int64_t sum_ns(std::int64_t a, std::int64_t b) noexcept {
  std::int64_t sum = 0;
  if (!__builtin_add_overflow(a, b, &sum)) return sum;
  return b > 0 ? never_ns : (std::numeric_limits<std::int64_t>::min)();
}

// Converts to whole nanoseconds, rounded up. What they cannot say is never; a negative duration is 0, which is now.
template <class Rep, class Period>
[[nodiscard]] constexpr std::int64_t whole_ns(std::chrono::duration<Rep, Period> d) {
  constexpr std::intmax_t ns_in_s = std::nano::den;
  if constexpr (std::integral<Rep> && ns_in_s % Period::den == 0 && Period::num <= never_ns / ns_in_s) {
    constexpr std::int64_t ns_each = Period::num * (ns_in_s / Period::den);
    if (std::cmp_greater(d.count(), never_ns / ns_each)) return never_ns;
    return d.count() > 0 ? static_cast<std::int64_t>(d.count()) * ns_each : 0;
  } else {
    if (!is_number(static_cast<double>(d.count()))) return never_ns;
    const long double ns = static_cast<long double>(d.count()) * Period::num / Period::den * ns_in_s;
    if (!(ns < static_cast<long double>(never_ns))) return never_ns;
    if (!(ns > 0)) return 0;
    const auto whole = static_cast<std::int64_t>(ns);
    return whole + (static_cast<long double>(whole) < ns ? 1 : 0);
  }
}

// Converts a point of time. One that the clock cannot say becomes the clock's latest, one before its beginning the
// first.
template <class Duration>
[[nodiscard]] constexpr std::chrono::steady_clock::time_point clock_time(
    std::chrono::time_point<std::chrono::steady_clock, Duration> t) {
  return std::chrono::steady_clock::time_point(std::chrono::nanoseconds(whole_ns(t.time_since_epoch())));
}

// A point of time by which a wait ends; without a value it is never.
using deadline = std::optional<std::chrono::steady_clock::time_point>;
// The time by which deadlines pass; it is virtual in a simulation.
[[nodiscard]] std::chrono::steady_clock::time_point now() noexcept;

// The deadline `ns` nanoseconds after `since`. REQUIRES: `since` is not before the beginning of the clock.
[[nodiscard]] inline deadline deadline_after(std::chrono::steady_clock::time_point since, std::int64_t ns) noexcept {
  using std::chrono::nanoseconds;
  const std::int64_t at = sum_ns(nanoseconds(since.time_since_epoch()).count(), ns);
  if (at == never_ns) return std::nullopt;
  return std::chrono::steady_clock::time_point(nanoseconds(at));
}
// Has it passed?
[[nodiscard]] inline bool is_over(const deadline& until) noexcept { return until && *until <= detail::now(); }
// The deadline `limit` from now.
template <class Rep, class Period>
[[nodiscard]] deadline deadline_after(std::chrono::duration<Rep, Period> limit) {
  const std::int64_t ns = whole_ns(limit);
  return deadline_after(detail::now(), ns);
}

}  // namespace tact::detail
