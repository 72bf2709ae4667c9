// The clock by which an engine in a simulation measures how long something took.
#pragma once

#include <chrono>
#include <cstdint>

#include "base/random.hpp"
#include "sync/system.hpp"

namespace tact::simulated {

// Each look at it finds that some time has passed, which is drawn by chance, and seldom that much has. Thread safety:
// the real thread.
class random_stopwatch {
 public:
  explicit random_stopwatch(base::random& chances) noexcept
      : chances_(chances), quickest_ns_(std::uint64_t{32} << chances.below(10)) {}

  [[nodiscard]] sync::time_point look() noexcept {
    const std::uint64_t surprise = chances_.one_in(64) ? 100 : 1;
    const std::uint64_t ns = quickest_ns_ + chances_.below(static_cast<std::uint32_t>(quickest_ns_));
    return now_ += std::chrono::nanoseconds(ns * surprise);
  }

 private:
  base::random& chances_;
  const std::uint64_t quickest_ns_;
  sync::time_point now_{std::chrono::hours(1)};
};

}  // namespace tact::simulated
