// What is wrong with an execution.
#pragma once

#include <string>
#include <string_view>

namespace tact::simulated {

// Invariant: an execution that is stuck has failed, and stays stuck. Thread safety: the real thread.
class verdict {
 public:
  // Only the first failure counts.
  void fail(std::string_view text) {
    if (failure_.empty()) failure_ = text.empty() ? "a check that has no text does not hold" : text;
  }
  // The program cannot go on. REQUIRES: the text is not empty.
  void give_up(std::string_view text) {
    stuck_ = text;
    fail(text);
  }
  // Empty: it has not failed.
  [[nodiscard]] const std::string& failure() const noexcept { return failure_; }
  // While it is stuck the waits of the program are over, whatever they wait for.
  [[nodiscard]] bool is_stuck() const noexcept { return !stuck_.empty(); }
  [[nodiscard]] const std::string& why_stuck() const noexcept { return stuck_; }

 private:
  std::string failure_;
  std::string stuck_;
};

}  // namespace tact::simulated
