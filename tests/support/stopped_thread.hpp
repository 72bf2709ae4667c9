// Stops one thread of this process wherever it is, as if the system had taken its processing unit away.
#pragma once

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <climits>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "support/engine_fixture.hpp"

namespace tact::support {

// SIGSTOP stops all threads of a process. So the thread gets a real-time signal, whose handler waits until this object
// lets it go on; the handler makes system calls and touches lock-free atomics only. A test that stops a thread must not
// need what that thread may hold, memory included: it goes on by itself after half of the time of `generous`.
//
// ThreadSanitizer keeps a signal until the thread's next atomic operation. A thread that was on its way to sleep when
// the signal came has none until it is woken, which may be never: so there the thread that waits for it ends its sleep.
class stopped_thread {
 public:
  explicit stopped_thread(pid_t thread) : thread_(thread) {
    install_handler();
    siginfo_t info{};
    info.si_code = SI_QUEUE;
    info.si_pid = ::getpid();
    info.si_uid = ::getuid();
    info.si_value.sival_ptr = this;
    sent_ = ::syscall(SYS_rt_tgsigqueueinfo, ::getpid(), thread, stop_signal(), &info) == 0;
  }
  stopped_thread(const stopped_thread&) = delete;
  stopped_thread& operator=(const stopped_thread&) = delete;
  ~stopped_thread() {
    go_on();
    while (!out_ && is_awaited()) let_it_come();
    // A thread that has ended since left this object before: only reading it tells ThreadSanitizer so.
    static_cast<void>(out_.load());
  }

  // It stands still, or has.
  [[nodiscard]] bool has_stopped() const { return stopped_; }
  void wait_until_stopped() const {
    const auto end = std::chrono::steady_clock::now() + generous / 4;
    while (is_awaited() && !stopped_ && std::chrono::steady_clock::now() < end) let_it_come();
  }
  // It was not let go on in time: something that it holds has kept its waker waiting.
  [[nodiscard]] bool gave_up() const { return gave_up_; }
  void go_on() {
    told_ = 1;
    ::syscall(SYS_futex, &told_, FUTEX_WAKE_PRIVATE, INT_MAX, nullptr, nullptr, 0);
  }

 private:
  static_assert(std::atomic<std::uint32_t>::is_always_lock_free && sizeof(std::atomic<std::uint32_t>) == 4);

  // False: the thread has come to its end, perhaps before it got the signal.
  [[nodiscard]] bool is_awaited() const { return sent_ && ::syscall(SYS_tgkill, ::getpid(), thread_, 0) == 0; }
  // Ends a system call in which the thread waits; its caller then looks whether to wait again, by an atomic operation.
  void let_it_come() const {
    if (base::under_tsan) ::syscall(SYS_tgkill, ::getpid(), thread_, disturbance());
    for (int i = base::under_tsan ? 100 : 1; i != 0; --i)
      std::this_thread::yield();  // else that thread would do nothing but wake
  }
  static int stop_signal() { return SIGRTMIN + 3; }
  // Not one of the real-time signals: those queue up, and a thread that has many of them never comes to its own code.
  static int disturbance() { return SIGURG; }
  static void install_handler() {
    struct sigaction action {};
    action.sa_flags = SA_SIGINFO;
    action.sa_sigaction = [](int, siginfo_t* info, void*) {
      const int saved = errno;
      static_cast<stopped_thread*>(info->si_value.sival_ptr)->stand_still();
      errno = saved;
    };
    sigemptyset(&action.sa_mask);
    ::sigaction(stop_signal(), &action, nullptr);
    action.sa_sigaction = [](int, siginfo_t*, void*) {};
    ::sigaction(disturbance(), &action, nullptr);
  }
  void stand_still() {
    const timespec limit{std::chrono::seconds(generous).count() / 2, 0};
    stopped_ = true;
    while (told_ == 0 && !gave_up_) {
      const long result = ::syscall(SYS_futex, &told_, FUTEX_WAIT_PRIVATE, 0, &limit, nullptr, 0);
      if (result != 0 && errno == ETIMEDOUT) gave_up_ = true;
    }
    out_ = true;  // last: the object may go
  }

  const pid_t thread_;
  std::atomic<std::uint32_t> told_{0};
  std::atomic<bool> stopped_{false};
  std::atomic<bool> gave_up_{false};
  std::atomic<bool> out_{false};
  bool sent_ = false;
};

// The workers that run in this process, by the system's numbers of their threads. Other threads may not take the
// signal: that of ThreadSanitizer blocks it.
inline std::vector<pid_t> threads_of_workers() {
  std::vector<pid_t> all;
  for (const auto& task : std::filesystem::directory_iterator("/proc/self/task")) {
    std::string name;
    std::getline(std::ifstream(task.path() / "comm"), name);  // of one that has ended meanwhile it stays empty
    if (name.rfind("tact-worker", 0) == 0)
      all.push_back(static_cast<pid_t>(std::stol(task.path().filename().string())));
  }
  return all;
}

}  // namespace tact::support
