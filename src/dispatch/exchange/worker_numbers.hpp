// How many workers there may be, how many of them have a thread, and how many run.
#pragma once

#include "sync/policy.hpp"

namespace tact::dispatch {

// The first `threads` of the workers have a thread, and the first `running` of those run; the others rest. Invariant:
// 1 <= running <= threads <= most. Thread safety: any thread; they are changed by the thread that has the lock of
// running_workers.
class worker_numbers {
 public:
  worker_numbers(unsigned most, unsigned running) noexcept : most_(most), threads_(running), running_(running) {}

  [[nodiscard]] unsigned most() const noexcept { return most_; }
  [[nodiscard]] unsigned threads() const noexcept { return threads_.load(); }
  [[nodiscard]] unsigned running() const noexcept { return running_.load(); }
  [[nodiscard]] bool some_rest() const noexcept { return running() < threads(); }

  void set_threads(unsigned count) noexcept { threads_.store(count); }
  void set_running(unsigned count) noexcept { running_.store(count); }

 private:
  const unsigned most_;
  sync::atomic<unsigned> threads_;
  sync::atomic<unsigned> running_;
};

}  // namespace tact::dispatch
