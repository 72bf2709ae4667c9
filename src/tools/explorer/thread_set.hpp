// A set of threads of a scenario, by their numbers.
#pragma once

#include <bit>
#include <cstdint>

namespace tact::explorer {

inline constexpr unsigned threads_max = 32;

using thread_set = std::uint32_t;

constexpr thread_set bit(unsigned thread) noexcept { return thread_set{1} << thread; }
constexpr thread_set first_threads(unsigned count) noexcept {
  return count == threads_max ? ~thread_set{0} : bit(count) - 1;
}
constexpr bool contains(thread_set set, unsigned thread) noexcept { return (set & bit(thread)) != 0; }
constexpr unsigned size_of(thread_set set) noexcept { return static_cast<unsigned>(std::popcount(set)); }

// The n-th one, from the lowest number on. REQUIRES: n < size_of(set).
constexpr unsigned nth(thread_set set, unsigned n) noexcept {
  for (; n > 0; --n) set &= set - 1;
  return static_cast<unsigned>(std::countr_zero(set));
}

}  // namespace tact::explorer
