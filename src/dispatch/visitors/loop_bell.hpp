// How a thread that waits in the library learns that one of its event loops has messages.
#pragma once

#include <mutex>
#include <utility>

#include "sync/eventcount.hpp"
#include "sync/fault.hpp"

namespace tact::dispatch {

// The thread of a loop may have to wait in a destructor, for what only actors of the loop can do. It sleeps at the
// eventcount of what it waits for, and moves the bell of its loops there. A thread that calls the loop rings first.
//
// Thread safety: ring from any thread; move_to by the loop's thread. Invariant: a thread rings under the lock, so after
// move_to none notifies the eventcount that was left, which may be destroyed then. A loop is called once until it has
// been pumped, so the lock costs little. Protocol page: docs/protocols/loop.md.
template <class Sync>
class loop_bell {
 public:
  // Wakes the loop's thread, if it waits in the library. REQUIRES: a seq_cst change of what a pump looks at comes
  // before.
  void ring() noexcept {
    if (Sync::planted(sync::fault::loop_bell_rung_unlocked)) {
      mutex_.lock();
      auto* const seen = waits_at_;
      mutex_.unlock();
      if (seen != nullptr) seen->notify();
      return;
    }
    const std::lock_guard lock(mutex_);
    if (waits_at_ != nullptr) waits_at_->notify();
  }
  // From now on `ring` notifies this eventcount; null: the thread waits elsewhere. Returns the eventcount before.
  sync::eventcount<Sync>* move_to(sync::eventcount<Sync>* waits_at) noexcept {
    const std::lock_guard lock(mutex_);
    return std::exchange(waits_at_, waits_at);
  }

 private:
  typename Sync::mutex mutex_;
  sync::eventcount<Sync>* waits_at_ = nullptr;  // guarded by mutex_
};

}  // namespace tact::dispatch
