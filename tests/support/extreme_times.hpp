// Durations that no clock can say, or hardly, of many types; and what each means for a thread that waits so long.
#pragma once

#include <chrono>
#include <cstdint>
#include <limits>
#include <ratio>

namespace tact::support {

// Durations of other types than the standard's.
using exaseconds = std::chrono::duration<std::int64_t, std::exa>;
using picoseconds = std::chrono::duration<std::int64_t, std::pico>;
using short_hours = std::chrono::duration<std::int8_t, std::ratio<3600>>;
using unsigned_seconds = std::chrono::duration<std::uint64_t>;
using unsigned_attoseconds = std::chrono::duration<std::uint64_t, std::atto>;
using thirds = std::chrono::duration<std::int64_t, std::ratio<1, 3>>;

// Calls f with each of them that is over when it begins: not positive.
template <class F>
void for_each_past_time(F f) {
  using namespace std::chrono;
  f(hours::min());
  f(years::min());
  f(seconds::min());
  f(milliseconds::min());
  f(nanoseconds::min());
  f(nanoseconds(std::numeric_limits<std::int64_t>::min() + 1));
  f(nanoseconds(-1));
  f(nanoseconds(0));
  f(exaseconds::min());
  f(picoseconds::min());
  f(picoseconds(-1));
  f(short_hours::min());
  f(unsigned_seconds(0));
  f(thirds::min());
  f(duration<double>::min());
  f(duration<double>(-0.0));
  f(duration<double>(-1e-300));
  f(duration<double>(-1e300));
  f(duration<double>(-std::numeric_limits<double>::infinity()));
  f(duration<float, std::milli>(-std::numeric_limits<float>::max()));
  f(duration<long double, std::exa>(-std::numeric_limits<long double>::max()));
}

// Calls f with each of them that is later than a hundred years from now, or never.
template <class F>
void for_each_far_time(F f) {
  using namespace std::chrono;
  f(hours::max());
  f(years::max());
  f(years(300));
  f(seconds::max());
  f(milliseconds::max());
  f(nanoseconds::max());
  f(nanoseconds(std::numeric_limits<std::int64_t>::max() - 1));
  f(nanoseconds(std::numeric_limits<std::int64_t>::max() - 3'600'000'000'000));
  f(exaseconds::max());
  f(exaseconds(1));
  f(unsigned_seconds::max());
  f(unsigned_seconds(std::uint64_t{1} << 63));
  f(thirds::max());
  f(duration<double>::max());
  f(duration<double>(9.3e9));
  f(duration<double>(std::numeric_limits<double>::infinity()));
  f(duration<double>(std::numeric_limits<double>::quiet_NaN()));
  f(duration<float, std::milli>(std::numeric_limits<float>::max()));
  f(duration<float>(std::numeric_limits<float>::quiet_NaN()));
  f(duration<long double, std::exa>(std::numeric_limits<long double>::max()));
}

}  // namespace tact::support
