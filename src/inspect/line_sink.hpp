// Where the lines of a queue are written: a file, or a function of the user's.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <string_view>

namespace tact::inspect {

// Thread safety: the thread of the queue.
class line_sink {
 public:
  line_sink() = default;
  line_sink(const line_sink&) = delete;
  line_sink& operator=(const line_sink&) = delete;
  virtual ~line_sink() = default;

  struct result {
    std::size_t taken = 0;
    bool has_failed = false;  // it will not take the rest
  };
  // Writes what is taken now of one or more whole lines.
  [[nodiscard]] virtual result write(std::string_view lines) noexcept = 0;
  // Waits until it may take more, for a while at most.
  virtual void wait(std::chrono::milliseconds) noexcept {}
};

// The descriptor may be shared with other processes, so it does not become non-blocking here: a pipe or a terminal is
// opened once more for a write, and a socket is told for each call. A pipe gets whole lines at once, as far as they are
// not longer than what pipes take at once (PIPE_BUF); so they do not mix with what other processes write to it.
class file_sink final : public line_sink {
 public:
  explicit file_sink(int file) noexcept : file_(file) {}
  [[nodiscard]] result write(std::string_view lines) noexcept override;
  void wait(std::chrono::milliseconds) noexcept override;

 private:
  const int file_;
};

class function_sink final : public line_sink {
 public:
  explicit function_sink(std::function<void(std::string_view)> to) noexcept : to_(std::move(to)) {}
  [[nodiscard]] result write(std::string_view lines) noexcept override;

 private:
  const std::function<void(std::string_view)> to_;
};

}  // namespace tact::inspect
