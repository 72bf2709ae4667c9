// Threads and handlers that turn in circles until they are let go, in functions whose names the program exports.
#pragma once

#include <unistd.h>

#include <atomic>
#include <string_view>
#include <thread>

#include "tact/inspect/thread_stack.hpp"

// Not of a namespace without a name, which is not exported.
namespace turning {

// Lets one thread out of its circles.
class exit {
 public:
  void open() { is_open_ = true; }
  // A thread turns now.
  void wait_until_used() const {
    while (!is_used_.load()) std::this_thread::yield();
  }
  void use() { is_used_ = true; }
  [[nodiscard]] bool is_open() const { return is_open_.load(); }

 private:
  std::atomic<bool> is_open_{false};
  std::atomic<bool> is_used_{false};
};

[[gnu::noinline]] inline void turn_in_circles(exit& at) {
  while (!at.is_open()) at.use();
}
[[gnu::noinline]] inline void turn_in_squares(exit& at) {
  while (!at.is_open()) at.use();
}

// A thread that is in one of them.
class turner {
 public:
  using function = void (*)(exit&);
  explicit turner(function f)
      : thread_([this, f] {
          number_.store(::gettid());
          f(exit_);
        }) {
    exit_.wait_until_used();
  }
  turner(const turner&) = delete;
  turner& operator=(const turner&) = delete;
  ~turner() {
    exit_.open();
    thread_.join();
  }
  [[nodiscard]] int number() const { return number_.load(); }

 private:
  exit exit_;
  std::atomic<int> number_{0};
  std::thread thread_;  // last: it uses the others
};

inline bool has(const tact::inspect::thread_stack& s, std::string_view function) {
  for (const tact::inspect::stack_frame& f : s.frames) {
    if (f.function.find(function) != std::string::npos) return true;
  }
  return false;
}

}  // namespace turning
