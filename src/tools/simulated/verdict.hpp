// What is wrong with an execution.
#pragma once

#include <string>
#include <string_view>

#include "tact/detail/simulation_watcher.hpp"

namespace tact::simulated {

// Invariant: an execution that is stuck has failed, and stays stuck. Thread safety: the real thread.
class verdict {
 public:
  // Only the first failure counts.
  void fail(std::string_view text) {
    if (!failure_.empty()) return;
    failure_ = text.empty() ? "a check that has no text does not hold" : text;
    if (watcher_ != nullptr) watcher_->hear_failure(failure_);
  }
  // The program cannot go on. REQUIRES: the text is not empty.
  void give_up(std::string_view text) {
    stuck_ = text;
    fail(text);
  }
  // It hears of the failure; null: none does.
  void tell(detail::simulation_watcher* w) noexcept { watcher_ = w; }
  // Empty: it has not failed.
  [[nodiscard]] const std::string& failure() const noexcept { return failure_; }
  // While it is stuck the waits of the program are over, whatever they wait for.
  [[nodiscard]] bool is_stuck() const noexcept { return !stuck_.empty(); }
  [[nodiscard]] const std::string& why_stuck() const noexcept { return stuck_; }

 private:
  std::string failure_;
  std::string stuck_;
  detail::simulation_watcher* watcher_ = nullptr;
};

}  // namespace tact::simulated
