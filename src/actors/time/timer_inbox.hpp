// How timers are handed to the service that fires them, and how the service sleeps.
#pragma once

#include <cstdint>
#include <limits>

#include "sync/eventcount.hpp"
#include "sync/policy.hpp"

namespace tact::actors {

// A list. Any thread puts a chain of timers on it, by one compare-and-swap; one thread, the service, takes all that is
// on it. While the service sleeps it shows when the first timer that it knows is due. A thread that brings an earlier
// one wakes it; a thread that brings a later one does not.
//
//   thread that brings timers                   the service
//     1. put the chain on the list                1. show when its first timer is due
//     2. load that; earlier: notify               2. prepare, look at the list, sleep
//
// Invariant: if a timer on the list is due before all that the service knows, the service is awake or is woken. All
// four steps are seq_cst: either the thread sees what is shown, or the service sees the list.
// Record: `next` links it. Protocol page: docs/protocols/timers.md.
template <class Sync, class Record>
class timer_inbox {
 public:
  enum class wake_when : unsigned char { due_earlier, always };

  using nanoseconds = std::int64_t;  // of the clock by which the service sleeps
  static constexpr nanoseconds never = std::numeric_limits<nanoseconds>::max();

  // Following `next` from `first` leads to `last`. The service is woken when the first of them is due before
  // all that it knows, or always. False: the service has ended, and the chain still belongs to the caller.
  [[nodiscard]] bool put(Record& first, Record& last, nanoseconds earliest,
                         wake_when when = wake_when::due_earlier) noexcept {
    // relaxed: re-checked by the next CAS.
    Record* head = head_.load(std::memory_order_relaxed);
    do {
      if (head == closed()) return false;
      last.next = head;
    } while (!head_.compare_exchange_weak(head, &first));
    if (Sync::planted(sync::fault::timer_wakes_nobody)) return true;
    if (when == wake_when::always || earliest < wanted_before_.load()) event_.notify();
    return true;
  }
  // Wakes the service, so that it calls `look` and finds what else it has to do.
  void wake() noexcept { event_.notify(); }

  // -- the service
  // All timers that were brought, oldest first; null: there are none, or the list has been closed.
  [[nodiscard]] Record* take() noexcept {
    // relaxed: hint; a thread that puts one there later wakes the service, if need be.
    if (head_.load(std::memory_order_relaxed) == nullptr) return nullptr;
    return reversed(head_.exchange(nullptr));
  }
  // Refuses all timers from now on, and returns those that were there.
  [[nodiscard]] Record* close() noexcept { return reversed(head_.exchange(closed())); }
  // Sleeps until `until`, or until a thread brings a timer that is due before `earliest`, or calls wake. `look` says
  // whether there is something else to do. REQUIRES: earliest is not later than until.
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
  // An address at which no record stands.
  static Record* closed() noexcept { return reinterpret_cast<Record*>(alignof(Record)); }

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

  // The record that was put there last. Null: there is none.
  typename Sync::template atomic<Record*> head_{nullptr};
  // The service need not be woken for a timer that is due at this time or later. Written by the service.
  typename Sync::template atomic<nanoseconds> wanted_before_{awake};
  sync::eventcount<Sync> event_;
};

}  // namespace tact::actors
