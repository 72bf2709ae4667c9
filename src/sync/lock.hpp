// A lock for sections of a few instructions: one compare-and-swap, a short spin, then sleep.
#pragma once

#include <cstdint>

#include "sync/policy.hpp"

namespace tact::sync {

// free --lock--> taken --lock of another, after its spin--> awaited --unlock--> free, and one sleeper is woken
//   ^              |
//   +----unlock----+
//
// Invariants
// 1. The thread that moves the word away from free has the lock, and only that thread sets it free.
// 2. A thread sleeps only on awaited, and a thread that woke takes the lock as awaited: other sleepers may be left.
// 3. The thread that replaces awaited by free wakes one sleeper.
// Protocol page: docs/protocols/lock.md.
// SpinRounds: a spin is longer than a section, and much shorter than a sleep and a wake. It is bounded, because the
// thread inside may have lost its processing unit.
template <class Sync, int SpinRounds = 50>
class lock {
 public:
  lock() = default;
  lock(const lock&) = delete;
  lock& operator=(const lock&) = delete;

  void enter() noexcept {
    if (!try_enter()) wait_and_enter();
  }

  // False: another thread is inside.
  [[nodiscard]] bool try_enter() noexcept {
    std::uint32_t seen = is_free;
    // acquire: observes what the last thread inside wrote.  pairs: lock.leave
    // relaxed on failure: re-checked by the next CAS.
    return word_.compare_exchange_strong(seen, taken, std::memory_order_acquire, std::memory_order_relaxed);
  }

  // Sets the lock free in a child process after a fork: the thread that was inside does not exist there.
  void leave_behind() noexcept { word_.store(is_free); }

  void leave() noexcept {
    // release: publishes what was written inside.  pairs: lock.leave
    const std::uint32_t before = word_.exchange(is_free, std::memory_order_release);
    if (before == awaited && !Sync::planted(fault::leave_wakes_nobody)) Sync::futex_wake(word_, 1);
  }

 private:
  static constexpr std::uint32_t is_free = 0, taken = 1, awaited = 2;

  void wait_and_enter() noexcept {
    if (Sync::planted(fault::lock_entered_twice)) return;
    for (int i = 0; i < SpinRounds; ++i) {
      Sync::pause();
      // relaxed: re-checked by the next CAS.
      std::uint32_t seen = word_.load(std::memory_order_relaxed);
      // acquire: as in enter.  pairs: lock.leave
      // relaxed on failure: re-checked by the next CAS.
      if (seen == is_free &&
          word_.compare_exchange_weak(seen, taken, std::memory_order_acquire, std::memory_order_relaxed)) {
        return;
      }
    }
    const std::uint32_t next = Sync::planted(fault::woken_forgets_others) ? taken : awaited;
    std::uint32_t wanted = awaited;
    // acquire: as in enter.  pairs: lock.leave
    while (word_.exchange(wanted, std::memory_order_acquire) != is_free) {
      Sync::futex_wait(word_, wanted);
      wanted = next;
    }
  }

  typename Sync::template atomic<std::uint32_t> word_{is_free};
};

// Holds the lock for the length of a block.
template <class Lock>
class locked {
 public:
  explicit locked(Lock& l) noexcept : lock_(&l) { lock_->enter(); }
  locked(const locked&) = delete;
  locked& operator=(const locked&) = delete;
  ~locked() { lock_->leave(); }

 private:
  Lock* const lock_;
};

}  // namespace tact::sync
