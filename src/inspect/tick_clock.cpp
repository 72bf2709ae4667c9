#include "inspect/tick_clock.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <limits>
#include <new>
#include <string>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace tact::inspect {

namespace {

using std::chrono::nanoseconds;

// Of so many readings of both clocks the one that took the shortest time is the truest.
constexpr int looks = 100;

}  // namespace

tick_clock::source tick_clock::best() noexcept {
#if defined(__x86_64__)
  constexpr unsigned invariant_bit = 1U << 8;
  unsigned a = 0, b = 0, c = 0, d = 0;
  if (__get_cpuid(0x80000007, &a, &b, &c, &d) == 0 || (d & invariant_bit) == 0) return source::system;
  try {
    std::string used;
    std::ifstream("/sys/devices/system/clocksource/clocksource0/current_clocksource") >> used;
    if (used == "tsc") return source::counter;
  } catch (...) {
    // Without memory for the name the slower clock will do.
  }
#endif
  return source::system;
}

nanoseconds tick_clock::system_time() noexcept { return std::chrono::steady_clock::now().time_since_epoch(); }
nanoseconds tick_clock::virtual_time() noexcept { return detail::now().time_since_epoch(); }

// Each reading has a unit of message_number to itself, so the number of a message says at which reading it was sent.
// Without memory the readings are told at an earlier time, but in their order.
std::uint64_t tick_clock::next_number() noexcept {
  const nanoseconds time = virtual_time();
  last_number_ += std::uint64_t{1} << message_number::unit_shift;
  try {
    if (times_.empty() || times_.back().time != time) times_.push_back({last_number_, time});
  } catch (const std::bad_alloc&) {
  }
  return last_number_;
}

std::uint64_t tick_clock::virtual_between(std::uint64_t first, std::uint64_t last) const noexcept {
  const nanoseconds time = look_up(times_, last, first_.time) - look_up(times_, first, first_.time);
  return static_cast<std::uint64_t>(std::max(time, nanoseconds(0)).count());
}

nanoseconds tick_clock::look_up(const std::vector<pair>& times, std::uint64_t ticks, nanoseconds earlier) noexcept {
  const auto next =
      std::upper_bound(times.begin(), times.end(), ticks, [](std::uint64_t t, const pair& p) { return t < p.ticks; });
  return next == times.begin() ? earlier : std::prev(next)->time;
}

tick_clock::pair tick_clock::look() noexcept {
  if (from_ == source::simulation) return {0, virtual_time()};
  if (from_ == source::system) {
    const std::uint64_t ns = now();
    return {ns, nanoseconds(ns)};
  }
  pair best;
  std::uint64_t least = std::numeric_limits<std::uint64_t>::max();
  for (int i = 0; i < looks; ++i) {
    const std::uint64_t before = now();
    const nanoseconds time = system_time();
    const std::uint64_t took = now() - before;
    if (took >= least) continue;
    least = took;
    best = {before + took / 2, time};
  }
  return best;
}

tick_clock::scale tick_clock::measure() {
  scale made;
  made.times_ = times_;
  made.first_ticks_ = first_.ticks;
  made.first_time_ = first_.time;
  const pair here = look();
  if (here.ticks > first_.ticks && here.time > first_.time) {
    made.ns_per_tick_ =
        static_cast<double>((here.time - first_.time).count()) / static_cast<double>(here.ticks - first_.ticks);
  }
  return made;
}

nanoseconds tick_clock::scale::time_of(std::uint64_t ticks) const noexcept {
  if (!times_.empty()) return look_up(times_, ticks, first_time_);
  const auto since = static_cast<double>(static_cast<std::int64_t>(ticks - first_ticks_));
  return first_time_ + nanoseconds(static_cast<std::int64_t>(since * ns_per_tick_));
}

}  // namespace tact::inspect
