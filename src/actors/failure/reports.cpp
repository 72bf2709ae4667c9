#include "actors/failure/reports.hpp"

#include <chrono>
#include <ostream>
#include <string>
#include <utility>

#include "actors/common/this_thread.hpp"
#include "sync/reports.hpp"

namespace tact::actors {

// -- lines

// `left_out`: how many lines were left out in the second that is over.
bool limited_lines::is_let_in(std::uint64_t& left_out) noexcept {
  const auto now = sync::clock::now();
  const std::lock_guard lock(mutex_);
  if (!until_ || *until_ <= now) {
    until_ = now + std::chrono::seconds(1);
    written_ = 0;
    left_out = std::exchange(left_out_, 0);
  }
  if (written_ == report_lines_max) {
    ++left_out_;
    return false;
  }
  ++written_;
  return true;
}

void limited_lines::write(report_line& line) noexcept {
  std::uint64_t left_out = 0;
  if (!is_let_in(left_out)) return;
  if (left_out != 0) say(left_out);
  line.report();
}

void limited_lines::tell_left_out() noexcept {
  std::uint64_t left_out = 0;
  {
    const std::lock_guard lock(mutex_);
    left_out = std::exchange(left_out_, 0);
  }
  if (left_out != 0) say(left_out);
}

limited_lines::~limited_lines() {
  if (left_out_ != 0) line_of(left_out_).report();
}

report_line limited_lines::line_of(std::uint64_t left_out) const noexcept {
  report_line line;
  line << left_out << " more " << what_ << " were left out here, where " << std::uint64_t{report_lines_max}
       << " are written in a second; engine_options::" << option_ << " hears of all";
  return line;
}

// If nobody reads it now, it is said later.
void limited_lines::say(std::uint64_t left_out) noexcept {
  if (line_of(left_out).try_report()) return;
  const std::lock_guard lock(mutex_);
  left_out_ += left_out;
}

// -- what the reports say

namespace {

// Calls add(text) with one part of the line after the other: memory may be short.
template <class Add>
void say_of(const failure_report& report, Add add) {
  if (!report.name.empty()) add(report.name), add(" (");
  add(report.actor);
  add(report.name.empty() ? " threw while handling " : ") threw while handling ");
  for (const std::string_view more : {report.message, std::string_view(": "), std::string_view(report.what)}) add(more);
  if (report.actor_ends || report.restarts) add(report.actor_ends ? " (the actor ends)" : " (the actor restarts)");
}
template <class Add>
void say_of(const unrepeatable_handler& report, Add add) {
  for (const std::string_view more : {report.actor, std::string_view(" handled "), report.message}) add(more);
  add(" twice, and the second time ");
  add(report.difference);
  add("; a handler must do the same whenever it runs: what may not be repeated belongs into self.on_commit");
}
template <class Report>
std::string text_of(const Report& report) {
  std::string text;
  say_of(report, [&](std::string_view more) { text += more; });
  return text;
}

}  // namespace

void reports::failed(const failure_report& report) noexcept {
  try {
    const this_thread::callback outside;
    if (options_.on_failure) return options_.on_failure(report);
  } catch (...) {
    return;  // A report that fails must not fail what it reports; the failure is counted all the same.
  }
  report_line line;
  say_of(report, [&](std::string_view more) { line << more; });
  failures_.write(line);
}

void reports::differed(const unrepeatable_handler& report) noexcept {
  try {
    const this_thread::callback outside;
    if (options_.on_unrepeatable) return options_.on_unrepeatable(report);
  } catch (...) {
    return;  // As above.
  }
  report_line line;
  say_of(report, [&](std::string_view more) { line << more; });
  unrepeatable_.write(line);
}

void reports::tell_left_out() noexcept {
  failures_.tell_left_out();
  unrepeatable_.tell_left_out();
  sync::tell_lost_reports();
}

}  // namespace tact::actors

namespace tact {

std::ostream& operator<<(std::ostream& out, const failure_report& r) { return out << actors::text_of(r); }
std::ostream& operator<<(std::ostream& out, const unrepeatable_handler& r) { return out << actors::text_of(r); }

}  // namespace tact
