// The generator of java.util.Random, which the results of some Savina programs depend on.
#pragma once

#include <cmath>
#include <cstdint>

namespace bench {

class java_random {
 public:
  explicit constexpr java_random(std::uint64_t seed) : state_((seed ^ multiplier) & mask) {}

  constexpr std::int32_t next() { return static_cast<std::int32_t>(bits(32)); }
  constexpr bool coin() { return bits(1) != 0; }
  // REQUIRES: 0 < end < 2^31
  constexpr std::uint32_t below(std::uint32_t end) {
    constexpr std::uint64_t all = std::uint64_t{1} << 31;
    if ((end & (end - 1)) == 0) return static_cast<std::uint32_t>(std::uint64_t{end} * bits(31) >> 31);
    for (;;) {
      const std::uint32_t drawn = bits(31);
      const std::uint32_t rest = drawn % end;
      if (drawn - rest + std::uint64_t{end - 1} < all) return rest;
    }
  }
  // In [0, 1).
  constexpr double real() {
    const std::uint64_t high = bits(26);
    return static_cast<double>((high << 27) + bits(27)) / static_cast<double>(std::uint64_t{1} << 53);
  }
  // Normally distributed around 0; by Marsaglia's polar method, whose second value is kept.
  double gauss() {
    if (kept_) {
      kept_ = false;
      return second_;
    }
    for (;;) {
      const double x = 2 * real() - 1;
      const double y = 2 * real() - 1;
      const double q = x * x + y * y;
      if (q >= 1 || q == 0) continue;
      const double f = std::sqrt(-2 * std::log(q) / q);
      second_ = y * f;
      kept_ = true;
      return x * f;
    }
  }

 private:
  static constexpr std::uint64_t multiplier = 0x5DEECE66D;
  static constexpr std::uint64_t mask = (std::uint64_t{1} << 48) - 1;

  constexpr std::uint32_t bits(unsigned count) {
    state_ = (state_ * multiplier + 0xB) & mask;
    return static_cast<std::uint32_t>(state_ >> (48 - count));
  }

  std::uint64_t state_;
  double second_ = 0;
  bool kept_ = false;
};

// As a Java virtual machine has them.
static_assert([](java_random r) { return r.next() == -1154715079 && r.next() == 1260042744; }(java_random(2)));
static_assert([](java_random r) { return r.coin() && !r.coin() && r.coin() && !r.coin(); }(java_random(2)));

}  // namespace bench
