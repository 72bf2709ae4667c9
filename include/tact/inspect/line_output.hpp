// tact::inspect::line_output: a place for whole lines: a file, a stream, or a function; also in the place of the
// standard output.
#include "tact/detail/begin.hpp"  // first
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iosfwd>
#include <memory>
#include <string_view>

#include "tact/inspect/detail/line_text.hpp"

namespace tact::inspect {

struct line_output_options {
  // Memory for lines that are not written yet; as much again holds those that are written at the moment. At least
  // 4 KiB, at most 4 GiB.
  std::size_t bytes = std::size_t{1} << 20;
};
std::ostream& operator<<(std::ostream&, const line_output_options&);

// A file, pipe, socket or terminal by its descriptor, which the program closes itself.
struct file_descriptor {
  int number = 1;
};

// std::ofstream file("run.log");
// tact::inspect::line_output log(file);
// log.println("begins with ", n, " actors");
//
// Its lines are what those of tact::inspect::println are, in handlers too; but they go to a file, a stream or a
// function of the user's. A thread writes them, which it starts with the first line.
// Thread safety: any thread, concurrently.
class line_output {
 public:
  // Is called with one or more whole lines. While it runs other lines wait, in bounded memory. When it throws, these
  // lines are lost.
  using function = std::function<void(std::string_view lines)>;

  // Each throws option_error and std::bad_alloc. What is written to, and the function, are used by that thread alone,
  // up to the end of this object.
  explicit line_output(function to, const line_output_options& options = {});
  explicit line_output(std::ostream& to, const line_output_options& options = {});
  explicit line_output(file_descriptor to, const line_output_options& options = {});
  line_output(const line_output&) = delete;
  line_output& operator=(const line_output&) = delete;
  // Writes what is there. A file that takes nothing for five seconds holds it up no longer; a stream or a function that
  // does not return holds it up. Lines of handlers that commit later are lost.
  ~line_output();

  template <class... T>
  void println(const T&... parts) {
    tact::detail::put_line(tact::detail::line_of(parts...), lines_);
  }
  // As flush_lines and lost_lines, for these lines. flush is not called by the function that gets them.
  bool flush(std::chrono::nanoseconds limit = std::chrono::seconds(5));
  [[nodiscard]] std::uint64_t lost() const noexcept;

 private:
  friend class line_redirection;

  const std::shared_ptr<line_queue> lines_;
};

// While it exists, tact::inspect::println prints to `to`: for a test, or a window. The latest one counts.
// Thread safety: any thread, concurrently.
class line_redirection {
 public:
  explicit line_redirection(line_output& to);  // throws std::bad_alloc
  line_redirection(const line_redirection&) = delete;
  line_redirection& operator=(const line_redirection&) = delete;
  ~line_redirection();

 private:
  const std::shared_ptr<line_queue> to_;
};

}  // namespace tact::inspect

#include "tact/detail/end.hpp"  // last
