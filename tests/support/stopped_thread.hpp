// Stops one thread of this process wherever it is, as if the system had taken its processing unit away.
#pragma once

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

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
// lets it go on; the handler makes system calls and touches flags only. A test that stops a thread must not
// need what that thread may hold, memory included: it goes on by itself after half of the time of `generous`.
//
// ThreadSanitizer keeps a signal until the thread's next atomic operation. A thread that was on its way to sleep when
// the signal came has none until it is woken, which may be never: so there the thread that waits for it ends its sleep.
// And it must see no atomic operation in the handler: there it would run the handlers of signals that came meanwhile,
// before it has come out of this one, and when both are over it would leave all signals blocked for ever.
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
    while (!read(out_) && is_awaited()) let_it_come();
  }

  // It stands still, or has.
  [[nodiscard]] bool has_stopped() const { return read(stopped_); }
  void wait_until_stopped() const {
    const auto end = std::chrono::steady_clock::now() + generous / 4;
    while (is_awaited() && !read(stopped_) && std::chrono::steady_clock::now() < end) let_it_come();
  }
  // It was not let go on in time: something that it holds has kept its waker waiting.
  [[nodiscard]] bool gave_up() const { return read(gave_up_); }
  void go_on() {
    __atomic_store_n(&told_, 1, __ATOMIC_SEQ_CST);
    ::syscall(SYS_futex, &told_, FUTEX_WAKE_PRIVATE, INT_MAX, nullptr, nullptr, 0);
  }

 private:
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
    action.sa_sigaction = &on_stop;
    sigemptyset(&action.sa_mask);
    ::sigaction(stop_signal(), &action, nullptr);
    action.sa_sigaction = [](int, siginfo_t*, void*) {};
    ::sigaction(disturbance(), &action, nullptr);
  }
  // It calls nothing that the sanitizer sees, also no function of std::atomic.
#if defined(__clang__)
#define TACT_HIDDEN_FROM_SANITIZERS __attribute__((disable_sanitizer_instrumentation))
#else
#define TACT_HIDDEN_FROM_SANITIZERS __attribute__((no_sanitize_thread))
#endif
  TACT_HIDDEN_FROM_SANITIZERS static void on_stop(int, siginfo_t* info, void*) {
    const int saved = errno;
    auto& me = *static_cast<stopped_thread*>(info->si_value.sival_ptr);
    const timespec limit{seconds_most, 0};
    __atomic_store_n(&me.stopped_, 1, __ATOMIC_SEQ_CST);
    while (__atomic_load_n(&me.told_, __ATOMIC_SEQ_CST) == 0 && __atomic_load_n(&me.gave_up_, __ATOMIC_SEQ_CST) == 0) {
      const long result = ::syscall(SYS_futex, &me.told_, FUTEX_WAIT_PRIVATE, 0, &limit, nullptr, 0);
      if (result != 0 && errno == ETIMEDOUT) __atomic_store_n(&me.gave_up_, 1, __ATOMIC_SEQ_CST);
    }
    __atomic_store_n(&me.out_, 1, __ATOMIC_SEQ_CST);  // last: the object may go
    errno = saved;
  }
#undef TACT_HIDDEN_FROM_SANITIZERS
  [[nodiscard]] static bool read(const std::uint32_t& flag) { return __atomic_load_n(&flag, __ATOMIC_SEQ_CST) != 0; }

  static constexpr long seconds_most = std::chrono::seconds(generous).count() / 2;

  const pid_t thread_;
  std::uint32_t told_ = 0;
  std::uint32_t stopped_ = 0;
  std::uint32_t gave_up_ = 0;
  std::uint32_t out_ = 0;
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
