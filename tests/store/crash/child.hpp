// Work in a process of its own: LMDB ends its process when it finds what it does not expect.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace tact::store_tests {

// What the work writes here is seen by its parent, however it ends.
class child_report {
 public:
  // What is done now: repeats it, if it fails.
  void say(const std::string& now) noexcept;
  void say_more(const std::string& now) noexcept;
  std::uint64_t counts[8] = {};

 private:
  friend struct child_memory;
  char now_[512] = {};
  char more_[512] = {};
  char problem_[8192] = {};
};

struct child_end {
  std::string problem{};  // empty: the work was done. Otherwise what it has thrown, or the signal that ended it
  std::string now{};      // what it said last
  std::uint64_t counts[8] = {};
};

// That of this process, if it is such a child; one that is not looked at if not.
child_report& report_of_child() noexcept;

// A process that goes on for longer than `patience_s` is ended.
child_end in_child(const std::function<void(child_report&)>& work, unsigned patience_s = 600);

}  // namespace tact::store_tests
