// Counts the threads of an engine that were started and that have ended, and says that no more are started.
#pragma once

#include <cstdint>
#include <mutex>

#include "sync/mutex.hpp"
#include "sync/policy.hpp"

namespace tact::dispatch {

// Thread safety: any thread. Invariant: a thread is started, and counted, by a thread that holds `starting` and has
// seen there that the dispatcher does not stop. So a thread that has said stop, and then locks `starting` once, knows
// the number of all threads that must end.
class thread_roll {
 public:
  [[nodiscard]] bool stopping() const noexcept { return stopping_.load(); }
  void stop() noexcept { stopping_.exchange(true); }
  [[nodiscard]] sync::mutex& starting() noexcept { return starting_; }
  // REQUIRES: the caller holds `starting`.
  void count_started() noexcept { ++started_; }
  void count_ended() noexcept { ended_.fetch_add(1); }
  [[nodiscard]] std::uint32_t started() noexcept {
    const std::lock_guard lock(starting_);
    return started_;
  }
  [[nodiscard]] std::uint32_t ended() const noexcept { return ended_.load(); }

  // -- in a process that was forked from the one in which the engine lives
  // Only the calling thread was copied into this process. No thread is started any more.
  void leave_behind() noexcept {
    left_behind_.exchange(true);
    stop();
  }
  [[nodiscard]] bool are_left_behind() const noexcept { return left_behind_.load(); }
  // Ends the process if leave_behind was called in it. `what`: what the caller is doing, for the report.
  void look_whether_left_behind(const char* what) const noexcept;

 private:
  sync::mutex starting_;       // guards started_
  std::uint32_t started_ = 0;  // since the engine began
  sync::atomic<bool> stopping_{false};
  sync::atomic<bool> left_behind_{false};
  sync::atomic<std::uint32_t> ended_{0};
};

}  // namespace tact::dispatch
