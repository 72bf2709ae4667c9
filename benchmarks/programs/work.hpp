// Work for a message: arithmetic in which each step needs the one before. Its amount is fixed, so it is the same for
// every runtime; how long it takes on this machine is measured.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

#include "programs/program.hpp"

#if defined(TACT_MODELLED)
#include <tact/model.hpp>
#endif

namespace bench {

// A chain of `steps` steps from a fixed start; the same result each time, which the compiler cannot know.
inline std::uint64_t work(std::uint32_t steps) {
#if defined(TACT_MODELLED)
  // A step waits for the one before, which a model cannot know: 7 cycles.
  constexpr double step_ns = 1.6;
  tact::model::spend_ns(steps * step_ns);
#endif
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

// How long so many steps take here, at best.
inline long work_ns(std::uint32_t steps) {
  constexpr int units = 1000;
  double best = std::numeric_limits<double>::max();
  for (int trial = 0; trial < 20; ++trial) {
    stopwatch watch;
    for (int i = 0; i < units; ++i) (void)work(steps);
    watch.stop();
    best = std::min(best, watch.seconds());
  }
  return static_cast<long>(best / units * 1e9 + 0.5);
}

}  // namespace bench
