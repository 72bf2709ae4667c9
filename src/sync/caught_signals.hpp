// The signals that ask a program to end, SIGINT and SIGTERM, as something that a thread can wait for.
#pragma once

#include <csignal>

#include <array>

namespace tact::sync {

// While one exists the two signals do not end the process: they are told to the thread that waits. A process has one
// handler for each signal, so there is one of these at a time.
class caught_signals {
 public:
  // Throws std::system_error when the system gives no pipe, and usage_error, which names `call`, while another exists.
  explicit caught_signals(const char* call);
  ~caught_signals();
  caught_signals(const caught_signals&) = delete;
  caught_signals& operator=(const caught_signals&) = delete;

  // Waits for a signal and returns its number, or 0 once `stop_waiting` was called.
  [[nodiscard]] int wait() noexcept;
  // Any thread: ends the wait.
  void stop_waiting() noexcept;
  // From now on the signals do what they did before: another one may end the process.
  void let_go() noexcept;

 private:
  static constexpr std::array<int, 2> numbers{SIGINT, SIGTERM};

  std::array<int, 2> pipe_{-1, -1};
  std::array<struct sigaction, 2> before_{};
  bool catches_ = false;
};

}  // namespace tact::sync
