// Keeps threads that wait in loops from starving the others, for choosers that do not decide by chance.
#pragma once

#include <array>

#include "tools/explorer/thread_set.hpp"

namespace tact::explorer {

// A thread that gives way for the second time then stands behind every thread that could have gone on since the first
// time and did not: it waits until each of those has had one operation. So a loop that waits is run at most twice in
// vain, and two such loops do not hand the turn to each other for ever. Source of the idea: the fair scheduler of
// CHESS.
class fairness {
 public:
  void begin() noexcept {
    records_ = {};
    gave_way_ = 0;
  }

  // The threads that stand behind no runnable one. There is such a thread as long as any is runnable: a thread stands
  // behind threads that have not run since it last gave way, so there is no circle of threads behind each other.
  [[nodiscard]] thread_set allowed(thread_set runnable) const noexcept {
    if (gave_way_ == 0) return runnable;
    thread_set result = 0;
    for (thread_set left = runnable; left != 0; left &= left - 1) {
      const unsigned t = nth(left, 0);
      if ((records_[t].behind & runnable) == 0) result |= bit(t);
    }
    return result;
  }

  // Would the thread stand behind another one if it gave way now?
  [[nodiscard]] bool would_wait(unsigned thread, thread_set runnable) const noexcept {
    const record& r = records_[thread];
    return ((r.behind | (r.able & ~r.seen)) & runnable & ~bit(thread)) != 0;
  }

  void gave_way(unsigned thread, thread_set runnable) noexcept {
    record& r = records_[thread];
    r.behind |= r.able & ~r.seen & ~bit(thread);
    r.able = runnable;
    r.seen = 0;
    gave_way_ |= bit(thread);
  }

  // The thread has the next operation.
  void chosen(unsigned thread, thread_set runnable) noexcept {
    for (thread_set left = gave_way_; left != 0; left &= left - 1) {
      record& r = records_[nth(left, 0)];
      r.able &= runnable;
      r.seen |= bit(thread);
      r.behind &= runnable & ~bit(thread);
    }
  }

 private:
  // What happened since the thread last gave way; `behind` may be from before.
  struct record {
    thread_set able = 0;  // threads that could go on all the while
    thread_set seen = 0;  // threads that had an operation
    thread_set behind = 0;
  };

  std::array<record, threads_max> records_{};
  thread_set gave_way_ = 0;  // threads that ever gave way
};

}  // namespace tact::explorer
