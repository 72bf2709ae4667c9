// One line for people, in a buffer of fixed size and written at once: also in a handler of signals, or when memory is
// short.
#pragma once

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <string_view>

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
  // Writes the line, with its end, to stderr.
  void write() noexcept {
    text_[size_] = '\n';
    static_cast<void>(!::write(STDERR_FILENO, text_, size_ + 1));
  }

 private:
  static constexpr std::size_t bytes_max = 2047;
  char text_[bytes_max + 1];
  std::size_t size_ = 0;
};

}  // namespace tact::actors
