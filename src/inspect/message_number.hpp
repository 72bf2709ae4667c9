// The number of a message: which thread has sent it, and when.
#pragma once

#include <algorithm>
#include <cstdint>

#include "tact/detail/trace_sink.hpp"

namespace tact::inspect {

//   bit 54       the message is a sample: its way is measured, and nothing is recorded of it
//   bits 53..42  the thread
//   bits 41..0   the time, in units of 64 ticks
// So the number alone says how long a message was under way. A thread that sends more than one message in a unit of
// time numbers them on. Numbers of threads come again when the process has recorded 4096 more, and times after a day.
struct message_number {
  static constexpr unsigned time_bits = 42;
  static constexpr unsigned thread_bits = 12;
  static constexpr unsigned unit_shift = 6;
  static constexpr std::uint64_t sample_bit = detail::trace_sample_bit;
  static constexpr std::uint64_t time_mask = (std::uint64_t{1} << time_bits) - 1;
  static constexpr std::uint64_t thread_mask = (std::uint64_t{1} << thread_bits) - 1;

  [[nodiscard]] static bool is_sample(std::uint64_t number) noexcept { return (number & sample_bit) != 0; }
  // The same number, or 0 for a sample and for no number.
  [[nodiscard]] static std::uint64_t recorded(std::uint64_t number) noexcept { return is_sample(number) ? 0 : number; }
  [[nodiscard]] static std::uint64_t thread_of(std::uint64_t number) noexcept {
    return (number >> time_bits) & thread_mask;
  }
  [[nodiscard]] static std::uint64_t time_of(std::uint64_t number) noexcept { return number & time_mask; }
  // How many ticks have passed since the message was sent.
  [[nodiscard]] static std::uint64_t ticks_since(std::uint64_t number, std::uint64_t now) noexcept {
    const std::uint64_t units = ((now >> unit_shift) - number) & time_mask;
    return units > time_mask / 2 ? 0 : units << unit_shift;  // the counters of two processors may differ a little
  }
};
static_assert(message_number::time_bits + message_number::thread_bits + 1 == detail::trace_id_bits);

// Numbers the messages of one thread. Thread safety: that thread.
class message_numbers {
 public:
  // `thread`: its number in this process.
  explicit message_numbers(std::uint64_t thread) noexcept
      : thread_((thread & message_number::thread_mask) << message_number::time_bits) {}

  [[nodiscard]] std::uint64_t next(std::uint64_t ticks) noexcept {
    last_ = std::max(last_ + 1, ticks >> message_number::unit_shift);
    return thread_ | (last_ & message_number::time_mask);
  }

 private:
  const std::uint64_t thread_;
  std::uint64_t last_ = 0;
};

}  // namespace tact::inspect
