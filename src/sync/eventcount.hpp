// A place where threads sleep until something may have changed. Many may wait; notify wakes all of them.
#pragma once

#include <cstdint>
#include <limits>

#include "sync/policy.hpp"

namespace tact::sync {

// waiter                                    notifier
//   ticket = prepare();                       change the thing with a seq_cst read-modify-write
//   look at the thing, seq_cst loads;         notify();
//   found: cancel(); else wait(ticket);
//
// REQUIRES of the notifier: its change is a seq_cst read-modify-write (or store) that comes before notify().
// REQUIRES of the waiter: it looks again, with seq_cst loads, between prepare and wait.
//
// Invariants
// 1. The waiting bit is set before the waiter looks, the change is made before the notifier looks at the bit, all four
//    in the one order of seq_cst operations: the waiter sees the change or the notifier sees the waiter.
// 2. The notifier that clears the bit moves the epoch in the same operation, so no ticket given before is still valid.
// 3. Every sleeper's ticket is the current word; hence, while the bit is clear, no thread sleeps or is about to.
// Protocol page: docs/protocols/eventcount.md.
template <class Sync>
class eventcount {
 public:
  // Announces that the caller is about to wait. Returns the ticket for wait.
  [[nodiscard]] std::uint32_t prepare() noexcept {
    if (Sync::planted(fault::eventcount_store_not_fenced)) return prepare_unfenced();
    return word_.fetch_or(waiting_bit) | waiting_bit;
  }

  // The caller found something after all. The bit stays, because other waiters may rely on it: at worst one notify
  // calls the kernel in vain.
  void cancel() noexcept {}

  // Sleeps until a notify that came after the prepare which gave the ticket. False: the deadline passed first.
  bool wait(std::uint32_t ticket, deadline until = {}) noexcept {
    while (word_.load() == ticket) {
      if (!Sync::futex_wait(word_, ticket, until)) return word_.load() != ticket;
    }
    return true;
  }

  // Wakes all waiters. It is one load when there is none.
  void notify() noexcept {
    notify_if([] { return true; });
  }

  // As notify; but if there is a waiter, the notifier first looks, with seq_cst loads, whether what the waiter waits
  // for may have come, and wakes the waiters only then. This is for a condition that is made of parts, each with a
  // notifier of its own: the notifier of the part that is changed last sees all of them.
  template <class Look>
  void notify_if(Look may_have_come) noexcept {
    std::uint32_t seen = word_.load();
    if ((seen & waiting_bit) == 0 || !may_have_come()) return;
    while ((seen & waiting_bit) != 0) {
      if (!word_.compare_exchange_weak(seen, after_notify(seen))) continue;
      Sync::futex_wake(word_, std::numeric_limits<int>::max());
      return;
    }
  }

  // Is there a waiter, as far as this thread can tell?
  [[nodiscard]] bool has_waiters() const noexcept {
    return (word_.load(std::memory_order_relaxed) & waiting_bit) != 0;  // hint: the caller acts on it only to save work
  }

 private:
  static constexpr std::uint32_t waiting_bit = 1;
  static constexpr std::uint32_t epoch_step = 2;

  static std::uint32_t after_notify(std::uint32_t seen) noexcept {
    const std::uint32_t cleared = seen & ~waiting_bit;
    return Sync::planted(fault::notify_skips_epoch) ? cleared : cleared + epoch_step;
  }

  std::uint32_t prepare_unfenced() noexcept {
    const std::uint32_t ticket = word_.load() | waiting_bit;
    word_.store(ticket, std::memory_order_relaxed);  // hint: only under the planted fault
    return ticket;
  }

  // bit 0: a thread waits or is about to; bits 31..1: epoch. Set by waiters, cleared and moved on by notifiers. The
  // epoch wraps after 2^31 notifies; a waiter would have to stand between prepare and sleep for all of them.
  typename Sync::template atomic<std::uint32_t> word_{0};
};

}  // namespace tact::sync
