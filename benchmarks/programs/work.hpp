// Work for a message: arithmetic in which each step needs the one before. Its amount is fixed, so it is the same for
// every runtime; how long it takes on this machine is measured.
#pragma once

#include <cstdint>

namespace bench {

// A chain of `steps` steps from a fixed start; the same result each time, which the compiler cannot know.
inline std::uint64_t work(std::uint32_t steps) {
  std::uint64_t x = 0x9E37'79B9'7F4A'7C15;
  asm volatile("" : "+r"(x));
  for (std::uint32_t i = 0; i < steps; ++i) {
    x ^= x >> 12;
    x ^= x << 25;
    x *= 0x2545'F491'4F6C'DD1D;
  }
  asm volatile("" : "+r"(x));
  return x;
}

}  // namespace bench
