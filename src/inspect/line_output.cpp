#include "tact/inspect/line_output.hpp"

#include <memory>
#include <ostream>
#include <string>
#include <utility>

#include "base/struct_text.hpp"
#include "inspect/line_queue.hpp"
#include "inspect/standard_lines.hpp"
#include "tact/detail/misuse.hpp"
#include "tact/engine_options.hpp"

namespace tact::inspect {

namespace {

constexpr std::size_t bytes_least = std::size_t{4} << 10;
constexpr std::size_t bytes_most = std::size_t{4} << 30;

// A queue that forks know as long as it lives.
struct known_queue {
  known_queue(std::size_t bytes, std::unique_ptr<line_sink> to) : queue(bytes, std::move(to)), known(queue) {}

  line_queue queue;
  known_to_forks known;
};

std::shared_ptr<line_queue> make_queue(const line_output_options& options, std::unique_ptr<line_sink> to) {
  if (options.bytes < bytes_least || options.bytes > bytes_most) {
    throw option_error("line_output_options.bytes = " + std::to_string(options.bytes) + ": give " +
                       std::to_string(bytes_least) + " to " + std::to_string(bytes_most));
  }
  static_cast<void>(standard_lines());  // it leads to others, so a fork locks it first
  const auto made = std::make_shared<known_queue>(options.bytes, std::move(to));
  return {made, &made->queue};
}

line_output::function checked(line_output::function to) {
  if (!to) throw option_error("line_output: the function is empty: give one that takes a std::string_view");
  return to;
}

}  // namespace

std::ostream& operator<<(std::ostream& out, const line_output_options& o) {
  return out << base::struct_text("line_output_options").with("bytes", o.bytes).text();
}

line_output::line_output(function to, const line_output_options& options)
    : lines_(make_queue(options, std::make_unique<function_sink>(checked(std::move(to))))) {}
line_output::line_output(std::ostream& to, const line_output_options& options)
    : line_output(
          [&to](std::string_view lines) {
            if (!to.write(lines.data(), static_cast<std::streamsize>(lines.size())).flush())
              throw usage_error("line_output: the stream has failed");
          },
          options) {}
line_output::line_output(file_descriptor to, const line_output_options& options)
    : lines_(make_queue(options, std::make_unique<file_sink>(to.number))) {}

line_output::~line_output() {
  lines_->shut();
  lines_->close(patience_at_end);
}

bool line_output::flush(std::chrono::nanoseconds limit) {
  tact::detail::refuse_inside_handler("line_output::flush", "leave it to a thread outside");
  return lines_->flush(limit);
}
std::uint64_t line_output::lost() const noexcept { return lines_->lost(); }

line_redirection::line_redirection(line_output& to) : to_(to.lines_) { standard_lines().lead_to(*to_); }
line_redirection::~line_redirection() { standard_lines().lead_no_more_to(*to_); }

}  // namespace tact::inspect
