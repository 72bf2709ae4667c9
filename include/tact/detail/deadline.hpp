// How durations and times that users give are converted to what the library's clock can say. Every call that takes one
// converts it here, so that no other code computes with a value that does not fit.
#pragma once

#include <chrono>
#include <concepts>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>

namespace tact::detail {

// Stands for `never`: for a time beyond what nanoseconds can say, and for one that is no number.
inline constexpr std::int64_t never_ns = (std::numeric_limits<std::int64_t>::max)();

// Converts to whole nanoseconds, rounded up. What they cannot say is never; a negative duration is 0, which is now.
template <class Rep, class Period>
[[nodiscard]] constexpr std::int64_t whole_ns(std::chrono::duration<Rep, Period> d) {
  constexpr std::intmax_t ns_in_s = std::nano::den;
  if constexpr (std::integral<Rep> && ns_in_s % Period::den == 0 && Period::num <= never_ns / ns_in_s) {
    constexpr std::int64_t ns_each = Period::num * (ns_in_s / Period::den);
    if (std::cmp_greater(d.count(), never_ns / ns_each)) return never_ns;
    return d.count() > 0 ? static_cast<std::int64_t>(d.count()) * ns_each : 0;
  } else {
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
  using namespace std::chrono;
  const std::int64_t passed = nanoseconds(since.time_since_epoch()).count();
  if (ns >= never_ns - passed) return std::nullopt;
  return since + nanoseconds(ns);
}
// The deadline `limit` from now.
template <class Rep, class Period>
[[nodiscard]] deadline deadline_after(std::chrono::duration<Rep, Period> limit) {
  const std::int64_t ns = whole_ns(limit);
  return deadline_after(detail::now(), ns);
}

}  // namespace tact::detail
