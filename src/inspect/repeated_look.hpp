// A thread that looks again and again.
#pragma once

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>
#include <utility>

namespace tact::inspect {

// Calls the function in each period, on a thread of its own, until the object ends. What it throws is ignored: without
// memory the next look may do better. Thread safety: made and destroyed by one thread.
class repeated_look {
 public:
  // `last_look`: the function is called once more at the end.
  enum class last_look : bool { no, yes };

  // Throws std::system_error when the system gives no thread.
  repeated_look(std::chrono::nanoseconds period, last_look last, std::function<void()> look)
      : period_((std::min<std::chrono::nanoseconds>)(period, std::chrono::hours(24))),
        last_(last),
        look_(std::move(look)),
        thread_([this] { run(); }) {}
  repeated_look(const repeated_look&) = delete;
  repeated_look& operator=(const repeated_look&) = delete;
  ~repeated_look() {
    {
      const std::lock_guard lock(mutex_);
      ends_ = true;
    }
    ended_.notify_one();
    thread_.join();
  }

 private:
  void run() noexcept {
    while (!waits_for_end()) look();
    if (last_ == last_look::yes) look();
  }
  // False: a period has passed before.
  [[nodiscard]] bool waits_for_end() {
    std::unique_lock lock(mutex_);
    return ended_.wait_for(lock, period_, [this] { return ends_; });
  }
  void look() noexcept {
    try {
      look_();
    } catch (...) {
      // As said above.
    }
  }

  const std::chrono::nanoseconds period_;
  const last_look last_;
  const std::function<void()> look_;
  std::mutex mutex_;
  std::condition_variable ended_;
  bool ends_ = false;
  std::thread thread_;  // last: it uses the others
};

}  // namespace tact::inspect
