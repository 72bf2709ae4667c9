// mix: spreads a number over all 64 bits.
#pragma once

#include <cstdint>

namespace tact::detail {

// The last step of splitmix64: numbers that lie side by side come out far apart, and none comes out twice.
[[nodiscard]] constexpr std::uint64_t mix(std::uint64_t x) noexcept {
  x += 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

}  // namespace tact::detail
