// The clock of recorded steps: the counter of the processor, where the system trusts it.
#pragma once

#include <chrono>
#include <cstdint>

#if defined(__x86_64__)
#include <x86intrin.h>
#endif

#include "tact/detail/deadline.hpp"

namespace tact::inspect {

// Reading the counter takes half as long as asking the system for the time. It runs at a constant rate, which is found
// out by two readings of both clocks. Thread safety: any thread.
class tick_clock {
 public:
  enum class source : unsigned char { counter, system, simulation };
  // The counter, if all processors have the same one at a constant rate and the system uses it as its clock.
  [[nodiscard]] static source best() noexcept;

  explicit tick_clock(source from) noexcept : from_(from), first_(look()) {}

  [[nodiscard]] std::uint64_t now() const noexcept {
#if defined(__x86_64__)
    if (from_ == source::counter) [[likely]]
      return __rdtsc();
#endif
    return static_cast<std::uint64_t>((from_ == source::simulation ? virtual_time() : system_time()).count());
  }
  // Says what time it was at each reading of the counter since the clock was made.
  class scale {
   public:
    [[nodiscard]] std::chrono::nanoseconds time_of(std::uint64_t ticks) const noexcept;
    [[nodiscard]] std::chrono::nanoseconds length_of(std::uint64_t ticks) const noexcept {
      return std::chrono::nanoseconds(static_cast<std::int64_t>(static_cast<double>(ticks) * ns_per_tick_));
    }

   private:
    friend class tick_clock;
    std::uint64_t first_ticks_ = 0;
    std::chrono::nanoseconds first_time_{0};
    double ns_per_tick_ = 1;
  };
  [[nodiscard]] scale measure() const noexcept;

 private:
  struct pair {
    std::uint64_t ticks = 0;
    std::chrono::nanoseconds time{0};
  };
  [[nodiscard]] pair look() const noexcept;
  [[nodiscard]] static std::chrono::nanoseconds system_time() noexcept;
  [[nodiscard]] static std::chrono::nanoseconds virtual_time() noexcept;

  const source from_;
  const pair first_;
};

}  // namespace tact::inspect
