// Counts the threads that are in a part of the engine, so that the part ends only when they have left.
#pragma once

#include <cstdint>

#include "sync/policy.hpp"

namespace tact::sync {

// Thread safety: any thread. Invariant: a thread that is inside was counted before it looked at the part. So the thread
// that ends the part, and looks at the count after it has said so, sees each thread that found the part alive.
// The name and the idea: run-down protection of the Windows kernel (ExAcquireRundownProtection).
template <class Sync>
class rundown {
 public:
  rundown() = default;
  rundown(const rundown&) = delete;
  rundown& operator=(const rundown&) = delete;

  void enter() noexcept { inside_.fetch_add(1); }
  // False: the part stops, and the caller is not inside. A caller that notifies after leave does so here too, because
  // it was counted for a moment. `stops()` is a seq_cst load of what the thread that stops the part has written.
  template <class Stops>
  [[nodiscard]] bool try_enter(Stops stops) noexcept {
    if (Sync::planted(fault::stop_looked_at_first)) {
      if (stops()) return false;
      enter();
      return true;
    }
    enter();
    if (!stops()) return true;
    leave();
    return false;
  }
  void leave() noexcept { inside_.fetch_sub(1); }
  [[nodiscard]] bool is_empty() const noexcept { return inside_.load() == 0; }
  // REQUIRES: the threads inside are about to leave.
  void wait() const noexcept {
    while (!is_empty()) Sync::pause();
  }

  // A thread is inside as long as its guest object lives.
  class guest {
   public:
    explicit guest(rundown& in) noexcept : in_(in) { in_.enter(); }
    guest(const guest&) = delete;
    guest& operator=(const guest&) = delete;
    ~guest() { in_.leave(); }

   private:
    rundown& in_;
  };

 private:
  typename Sync::template atomic<std::uint32_t> inside_{0};
};

// A rundown that is the last member of its part: its destructor runs first, and waits. So the other members live until
// all threads have left. At that time they are on their way out, so it waits for their last steps only.
class waiting_rundown : public rundown<real> {
 public:
  ~waiting_rundown() { wait(); }
};

}  // namespace tact::sync
