// The signals that ask a program to end, SIGINT and SIGTERM, as something that a thread can wait for.
#pragma once

#include <csignal>

#include <array>

namespace tact::sync {

// While an object of this class exists, the two signals do not end the process: the thread that waits is told of them.
// Where the thread that makes it blocks them, it takes them meanwhile. A process has one handler for each signal, so
// only one object may exist at a time. The same thread makes and destroys it.
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
  // From now on the signals do again what they did before, so the next one may end the process.
  void let_go() noexcept;

 private:
  static constexpr std::array<int, 2> numbers{SIGINT, SIGTERM};

  void let_through() noexcept;

  std::array<struct sigaction, 2> before_{};
  sigset_t mask_before_{};
  bool catches_ = false;
};

}  // namespace tact::sync
