// The clock of recorded steps: the counter of the processor, where the system trusts it.
#pragma once

#include <chrono>
#include <cstdint>
#include <vector>

#if defined(__x86_64__)
#include <x86intrin.h>
#endif

#include "inspect/message_number.hpp"
#include "tact/detail/deadline.hpp"

namespace tact::inspect {

// Reading the counter takes half as long as asking the system for the time. It runs at a constant rate, which is found
// out by two readings of both clocks. In a simulation much happens at one time, so there each reading is a number, in
// the order in which they were taken, and lengths are nanoseconds of virtual time. Thread safety: any thread.
class tick_clock {
 public:
  enum class source : unsigned char { counter, system, simulation };
  // The counter, if all processors have the same one at a constant rate and the system uses it as its clock.
  [[nodiscard]] static source best() noexcept;

  explicit tick_clock(source from) noexcept : from_(from), first_(look()) {}
  tick_clock(const tick_clock&) = delete;
  tick_clock& operator=(const tick_clock&) = delete;

  [[nodiscard]] bool is_simulated() const noexcept { return from_ == source::simulation; }

  [[nodiscard]] std::uint64_t now() noexcept {
#if defined(__x86_64__)
    if (from_ == source::counter) [[likely]]
      return __rdtsc();
#endif
    return from_ == source::simulation ? next_number() : static_cast<std::uint64_t>(system_time().count());
  }
  // The length of the time from one reading to another.
  [[nodiscard]] std::uint64_t between(std::uint64_t first, std::uint64_t last) const noexcept {
    return is_simulated() ? virtual_between(first, last) : last - first;
  }
  // The length of the time from the send of the message with that number to a reading.
  [[nodiscard]] std::uint64_t since(std::uint64_t number, std::uint64_t now) const noexcept {
    return is_simulated() ? virtual_between(message_number::time_of(number) << message_number::unit_shift, now)
                          : message_number::ticks_since(number, now);
  }
  struct pair {
    std::uint64_t ticks = 0;
    std::chrono::nanoseconds time{0};
  };
  // Says what time it was at each reading since the clock was made.
  class scale {
   public:
    [[nodiscard]] std::chrono::nanoseconds time_of(std::uint64_t ticks) const noexcept;
    // Of a length, as `between` and `since` return it.
    [[nodiscard]] std::chrono::nanoseconds length_of(std::uint64_t ticks) const noexcept {
      return std::chrono::nanoseconds(static_cast<std::int64_t>(static_cast<double>(ticks) * ns_per_tick_));
    }

   private:
    friend class tick_clock;
    std::uint64_t first_ticks_ = 0;
    std::chrono::nanoseconds first_time_{0};
    double ns_per_tick_ = 1;
    std::vector<pair> times_;  // of a simulation
  };
  // Throws std::bad_alloc.
  [[nodiscard]] scale measure();

 private:
  [[nodiscard]] pair look() noexcept;
  [[nodiscard]] std::uint64_t next_number() noexcept;
  [[nodiscard]] std::uint64_t virtual_between(std::uint64_t first, std::uint64_t last) const noexcept;
  // The time at that reading; `earlier` if it was before all of them.
  [[nodiscard]] static std::chrono::nanoseconds look_up(const std::vector<pair>& times, std::uint64_t ticks,
                                                        std::chrono::nanoseconds earlier) noexcept;
  [[nodiscard]] static std::chrono::nanoseconds system_time() noexcept;
  [[nodiscard]] static std::chrono::nanoseconds virtual_time() noexcept;

  const source from_;
  // Of a simulation, whose threads take turns: each virtual time at which there was a reading, with the first of them.
  std::uint64_t last_number_ = 0;
  std::vector<pair> times_;
  const pair first_;
};

}  // namespace tact::inspect
