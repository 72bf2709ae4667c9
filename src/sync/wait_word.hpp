// One thread waits, another tells it, once: the operations of a word that lives on the waiter's stack.
#pragma once

#include <cstdint>

#include "sync/policy.hpp"

namespace tact::sync {

// waiting --wait--> sleeping --notify--> done
//    |                                    ^
//    +--------------notify----------------+
//
// Invariants
// 1. done is final, and only the notifier writes it.
// 2. The exchange that writes done is the notifier's last access to the word: from then on the waiter may return, and
//    the storage may become something else. What remains is a wake by address, which sleepers on any word tolerate.
// 3. A waiter goes to sleep only on a word that says sleeping, and the notifier that replaces sleeping wakes it.
// Protocol page: docs/protocols/wait_word.md.
template <class Sync>
struct wait_word {
  using word = typename Sync::template atomic<std::uint32_t>;
  static constexpr std::uint32_t waiting = 0, sleeping = 1, done = 2;

  static void notify(word& state) noexcept {
    if (Sync::planted(fault::notify_lost)) return state.store(done);
    // release: publishes what the notifier wrote for the waiter.  pairs: wait_word.done
    // acquire: nothing to observe; the exchange also orders the wake behind the waiter's CAS.
    const std::uint32_t before = state.exchange(done, std::memory_order_acq_rel);
    if (Sync::planted(fault::notify_after_done)) state.store(done);
    if (before == sleeping) Sync::futex_wake(state, 1);
  }

  // acquire: observes what the notifier wrote.  pairs: wait_word.done
  [[nodiscard]] static bool is_done(const word& state) noexcept {
    return state.load(std::memory_order_acquire) == done;
  }

  // False: the deadline passed first. The word stays in use then: the waiter must make sure that no notify can come any
  // more, or wait again.
  static bool wait(word& state, deadline until = {}) noexcept {
    std::uint32_t seen = waiting;
    // acquire: observes what the notifier wrote, if it came first.  pairs: wait_word.done
    if (state.compare_exchange_strong(seen, sleeping, std::memory_order_acq_rel, std::memory_order_acquire)) {
      seen = sleeping;
    }
    while (seen != done) {
      const bool in_time = Sync::futex_wait(state, sleeping, until);
      // acquire: observes what the notifier wrote.  pairs: wait_word.done
      seen = state.load(std::memory_order_acquire);
      if (!in_time) return seen == done;
    }
    return true;
  }
};

}  // namespace tact::sync
