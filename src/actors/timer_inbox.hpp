// How timers are handed to the service that fires them, and how it sleeps.
#pragma once

#include <cstdint>
#include <limits>

#include "sync/eventcount.hpp"
#include "sync/policy.hpp"

namespace tact::actors {

// A list that any thread puts a chain on, by one compare-and-swap, and one thread, the service, takes as a whole. While
// it sleeps it shows when the first timer that it knows is due; who brings an earlier one wakes it, and nobody else.
//
//   who brings                                  the service
//     1. put the chain on the list                1. show when its first timer is due
//     2. load that; earlier: notify               2. prepare, look at the list, sleep
//
// Invariant: a timer on the list that is due before all that the service knows has somebody who wakes it. All four are
// seq_cst: the bringer sees what is shown, or the service sees the list.
// Record: `next` links it. Protocol page: docs/protocols/timers.md.
template <class Sync, class Record>
class timer_inbox {
 public:
  using nanoseconds = std::int64_t;  // of the clock that the service sleeps by
  static constexpr nanoseconds never = std::numeric_limits<nanoseconds>::max();

  // `last` follows from `first` by next. `anyway`: the service is woken however late the timers are. False: the service
  // has ended, and the chain is still the caller's.
  [[nodiscard]] bool put(Record& first, Record& last, nanoseconds earliest, bool anyway = false) noexcept {
    // relaxed: re-checked by the next CAS.
    Record* head = head_.load(std::memory_order_relaxed);
    do {
      if (head == closed()) return false;
      last.next = head;
    } while (!head_.compare_exchange_weak(head, &first));
    if (Sync::planted(sync::fault::timer_wakes_nobody)) return true;
    if (anyway || earliest < wanted_before_.load()) event_.notify();
    return true;
  }
  // The service looks for whatever else it does.
  void wake() noexcept { event_.notify(); }

  // -- the service
  // Oldest first; null: none, or it has been closed.
  [[nodiscard]] Record* take() noexcept {
    // relaxed: hint; who puts one there later wakes the service, if need be.
    if (head_.load(std::memory_order_relaxed) == nullptr) return nullptr;
    return reversed(head_.exchange(nullptr));
  }
  // Refuses everything from now on, and returns what was there.
  [[nodiscard]] Record* close() noexcept { return reversed(head_.exchange(closed())); }
  // Sleeps until then, or until somebody has brought a timer that is due before `earliest`, or has woken it. `look`
  // says whether there is something else to do. REQUIRES: earliest is not later than until.
  template <class Look>
  void sleep(nanoseconds earliest, nanoseconds until, Look look) noexcept {
    wanted_before_.store(earliest);
    const auto ticket = event_.prepare();
    const bool nothing = head_.load() == nullptr || Sync::planted(sync::fault::timer_slept_through);
    if (nothing && !look()) {
      event_.wait(ticket, until == never ? sync::deadline() : sync::time_point(std::chrono::nanoseconds(until)));
    } else {
      event_.cancel();
    }
    wanted_before_.store(awake);
  }

 private:
  static constexpr nanoseconds awake = std::numeric_limits<nanoseconds>::min();
  static Record* closed() noexcept { return reinterpret_cast<Record*>(alignof(Record)); }  // no record stands there

  static Record* reversed(Record* newest) noexcept {
    Record* oldest = nullptr;
    while (newest != nullptr && newest != closed()) {
      Record* older = newest->next;
      newest->next = oldest;
      oldest = newest;
      newest = older;
    }
    return oldest;
  }

  // What was put there last. Null: nothing.
  typename Sync::template atomic<Record*> head_{nullptr};
  // Written by the service. What is due later need not wake it.
  typename Sync::template atomic<nanoseconds> wanted_before_{awake};
  sync::eventcount<Sync> event_;
};

}  // namespace tact::actors
