// The durations and times that users give: how far the library's clock can say them. Every call that takes one converts
// it here, so that none computes with what does not fit.
#pragma once

#include <chrono>
#include <concepts>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>

namespace tact::detail {

// In nanoseconds: beyond what they can say. No number is never as well.
inline constexpr std::int64_t never_ns = (std::numeric_limits<std::int64_t>::max)();

// Rounded up. What nanoseconds cannot say is never; what is past already is now, which is 0.
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

// The latest one for a time that the clock cannot say, its first one for times before.
template <class Duration>
[[nodiscard]] constexpr std::chrono::steady_clock::time_point clock_time(
    std::chrono::time_point<std::chrono::steady_clock, Duration> t) {
  return std::chrono::steady_clock::time_point(std::chrono::nanoseconds(whole_ns(t.time_since_epoch())));
}

// None: never.
using deadline = std::optional<std::chrono::steady_clock::time_point>;
// The time by which deadlines pass; virtual in a simulation.
[[nodiscard]] std::chrono::steady_clock::time_point now() noexcept;

// `since` is not before the beginning of the clock.
[[nodiscard]] inline deadline deadline_after(std::chrono::steady_clock::time_point since, std::int64_t ns) noexcept {
  using namespace std::chrono;
  const std::int64_t passed = nanoseconds(since.time_since_epoch()).count();
  if (ns >= never_ns - passed) return std::nullopt;
  return since + nanoseconds(ns);
}
// That time from now.
template <class Rep, class Period>
[[nodiscard]] deadline deadline_after(std::chrono::duration<Rep, Period> limit) {
  const std::int64_t ns = whole_ns(limit);
  return deadline_after(detail::now(), ns);
}

}  // namespace tact::detail
