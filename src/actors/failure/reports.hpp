// How an engine reports handlers that failed: to the user's function, or by lines on stderr, few of them each second.
#pragma once

#include <cstdint>
#include <mutex>
#include <string_view>

#include "actors/common/report_line.hpp"
#include "sync/system.hpp"
#include "tact/engine_options.hpp"

namespace tact::actors {

// Writes a limited number of lines in each second, and counts the others. Thread safety: any thread. Does not allocate.
class limited_lines {
 public:
  // `what` names the things that are counted, and `option` the function that hears of all of them; both are constants.
  limited_lines(std::string_view what, std::string_view option) noexcept : what_(what), option_(option) {}
  // What could not be told is a report that is lost.
  ~limited_lines();
  limited_lines(const limited_lines&) = delete;
  limited_lines& operator=(const limited_lines&) = delete;
  void write(report_line& line) noexcept;
  // Writes how many lines were left out since it was called last; nothing if none were.
  void tell_left_out() noexcept;

 private:
  [[nodiscard]] bool is_let_in(std::uint64_t& left_out) noexcept;
  [[nodiscard]] report_line line_of(std::uint64_t left_out) const noexcept;
  void say(std::uint64_t left_out) noexcept;

  const std::string_view what_;
  const std::string_view option_;
  std::mutex mutex_;
  sync::deadline until_;  // the end of the second that has begun
  unsigned written_ = 0;  // lines in this second
  std::uint64_t left_out_ = 0;
};

// Thread safety: any thread.
class reports {
 public:
  explicit reports(const engine_options& options) noexcept : options_(options) {}
  // A handler threw.
  void failed(const failure_report& report) noexcept;
  // A handler did something else when it was run again.
  void differed(const unrepeatable_handler& report) noexcept;
  // Called when the engine is quiet, or ends: also tells how many lines were lost.
  void tell_left_out() noexcept;

 private:
  const engine_options& options_;
  limited_lines failures_{"failures", "on_failure"};
  limited_lines unrepeatable_{"unrepeatable handlers", "on_unrepeatable"};
};

}  // namespace tact::actors
