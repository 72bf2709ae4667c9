// How a thread of the plain executor sleeps, and how others wake it.
#pragma once

#include <atomic>
#include <condition_variable>
#include <mutex>

namespace bench {

// A thread announces that it will sleep, looks once more whether it has anything to do, and then sleeps or withdraws.
// Another thread gives it something to do, and then looks whether it is asleep. So one of the two sees the other.
class alignas(128) plain_sleeper {
 public:
  void announce() { is_asleep_.store(true); }
  void withdraw() {
    // relaxed: a thread that still reads the old value wakes one that does not sleep, and that is no harm.
    is_asleep_.store(false, std::memory_order_relaxed);
  }
  void sleep() {
    std::unique_lock lock(mutex_);
    woken_.wait(lock, [this] { return must_wake_; });
    must_wake_ = false;
  }
  // At most one of all threads that find it asleep wakes it.
  void wake_if_asleep() {
    if (is_asleep_.load() && is_asleep_.exchange(false)) wake();
  }
  void wake() {
    {
      const std::lock_guard lock(mutex_);
      must_wake_ = true;
    }
    woken_.notify_one();
  }

 private:
  std::atomic<bool> is_asleep_{false};
  std::mutex mutex_;
  std::condition_variable woken_;
  bool must_wake_ = false;  // stays set until the sleeper has seen it, however late the thread comes that wakes it
};

}  // namespace bench
