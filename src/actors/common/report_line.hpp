// One line for people, in a buffer of fixed size: also in a handler of signals, or when memory is short.
#pragma once

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "sync/reports.hpp"

namespace tact::actors {

// The functions neither allocate, lock nor throw. Text that does not fit is left out.
class report_line {
 public:
  report_line() noexcept { *this << "tact: "; }
  report_line& operator<<(std::string_view more) noexcept {
    const std::size_t count = std::min(more.size(), bytes_max - size_);
    std::copy_n(more.data(), count, text_ + size_);
    size_ += count;
    return *this;
  }
  report_line& operator<<(std::uint64_t number) noexcept {
    char digits[20];
    return *this << std::string_view(digits, std::to_chars(digits, digits + sizeof digits, number).ptr);
  }
  // Each writes the line, with its end, to stderr: as a report, which may be lost; as one that the caller tells later
  // if it was not written; and directly, for what ends the process.
  void report() noexcept { sync::report(whole()); }
  [[nodiscard]] bool try_report() noexcept { return sync::try_report(whole()); }
  void write() noexcept { static_cast<void>(!::write(STDERR_FILENO, text_, whole().size())); }

 private:
  std::string_view whole() noexcept {
    text_[size_] = '\n';
    return {text_, size_ + 1};
  }

  static constexpr std::size_t bytes_max = 2047;
  char text_[bytes_max + 1];
  std::size_t size_ = 0;
};

}  // namespace tact::actors
