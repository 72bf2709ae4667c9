// How much waits in a mailbox that has a limit, and how threads outside wait for room in it.
// docs/protocols/pressure.md.
#pragma once

#include <chrono>
#include <cstdint>

#include "sync/eventcount.hpp"
#include "sync/lock.hpp"
#include "sync/policy.hpp"

namespace tact::actors {

// A counter belongs to an actor, its owner, for a time, and may be opened for another one later. Messages that were
// counted for the owner before stay counted until they leave, so each message leaves the counter that it has entered.
// Thread safety: any thread.
// Invariants: (1) the count stays within the limit, but for messages that insist; (2) a thread that makes room, or
// closes the counter, sees that a thread waits, or else that thread sees the room.
template <class Sync>
class admission_counter {
 public:
  using owner = std::uint64_t;
  struct amount {
    std::uint64_t messages = 0;  // in a limit, 0: any number
    std::uint64_t bytes = 0;
  };
  enum class entry : unsigned char { entered, full, other_full, closed };

  // REQUIRES: the counter is closed.
  void open(owner whose, const amount& most) noexcept {
    const inside in(lock_);
    owner_ = whose;
    most_ = most;
    refused_ = 0;
  }
  // Called when the owner has ended. True: threads wait, and the caller has to notify them.
  [[nodiscard]] bool close() noexcept {
    const inside in(lock_);
    owner_ = nobody;
    return has_waiters();
  }

  // Counts a message of so many bytes. A message that insists is counted although there is no room.
  [[nodiscard]] entry enter(owner whose, std::uint64_t bytes, bool insists) noexcept {
    if (Sync::planted(fault::admission_unlooked)) return enter_unlooked(bytes);
    const inside in(lock_);
    if (owner_ != whose) return entry::closed;
    if (!insists && !fits(bytes)) return entry::full;
    count(bytes);
    return entry::entered;
  }
  // Counts the message by this counter and by another one, or in neither. No thread ever sees it counted in one of them
  // only: so a sender that is refused because of this message has reason to wait until it leaves.
  // REQUIRES: of any two rooms, always the same comes first.
  [[nodiscard]] entry enter_with(admission_counter& other, owner of_other, owner whose, std::uint64_t bytes,
                                 bool insists, bool insists_there) noexcept {
    const inside in(lock_);
    if (owner_ != whose) return entry::closed;
    if (!insists && !fits(bytes)) return entry::full;
    if (const entry e = other.enter(of_other, bytes, insists_there); e != entry::entered)
      return e == entry::full ? entry::other_full : e;
    count(bytes);
    return entry::entered;
  }
  // A message waits no more. True: threads wait for room, and the caller has to notify them.
  [[nodiscard]] bool leave(std::uint64_t bytes) noexcept {
    const inside in(lock_);
    --now_.messages;
    now_.bytes -= bytes;
    watch_on();
    return has_waiters();
  }
  void count_refused() noexcept {
    const inside in(lock_);
    ++refused_;
  }

  struct reading {
    owner whose = nobody;
    amount now{};
    amount most{};
    std::uint64_t refused = 0;
    sync::time_point oldest{};  // a waiting message came then or earlier; nothing, when none waits
  };
  [[nodiscard]] reading read() const noexcept {
    const inside in(lock_);
    return {owner_, now_, most_, refused_, now_.messages == 0 ? sync::time_point{} : watched_since_};
  }

  // While one lives, a thread that makes room here notifies.
  class waiter {
   public:
    explicit waiter(admission_counter* c) noexcept : counter_(c) {
      if (counter_ != nullptr) counter_->waiters_.fetch_add(1);
    }
    waiter(const waiter&) = delete;
    waiter& operator=(const waiter&) = delete;
    ~waiter() {
      if (counter_ != nullptr) counter_->waiters_.fetch_sub(1);
    }

   private:
    admission_counter* const counter_;
  };

  // Waits until look() is true. This may come about by a leave or a close of a counter where the caller has a waiter,
  // or by another change after which `made` is notified. False: the deadline passed first.
  template <class Look>
  static bool wait(sync::eventcount<Sync>& made, Look look, sync::deadline until) noexcept {
    for (;;) {
      if (Sync::planted(fault::admission_awaited_unlooked) && look()) return true;
      const auto ticket = made.prepare();
      if (!Sync::planted(fault::admission_awaited_unlooked) && look()) {
        made.cancel();
        return true;
      }
      if (!made.wait(ticket, until)) return look();
    }
  }

 private:
  using fault = sync::fault;
  using inside = sync::locked<sync::lock<Sync>>;
  static constexpr owner nobody = 0;

  [[nodiscard]] bool fits(std::uint64_t bytes) const noexcept {
    if (now_.messages == 0) return true;
    return (most_.messages == 0 || now_.messages < most_.messages) &&
           (most_.bytes == 0 || now_.bytes + bytes <= most_.bytes);
  }
  void count(std::uint64_t bytes) noexcept {
    ++now_.messages;
    now_.bytes += bytes;
    if (now_.messages == 1) watch_last();
  }
  // One of the waiting messages is watched: the one that is the newest at that moment, until it has left. So the age of
  // the oldest is known at least to such a bound, without a time for each message.
  void watch_last() noexcept {
    watched_since_ = sync::clock::now();
    up_to_watched_ = now_.messages;
  }
  void watch_on() noexcept {
    if (up_to_watched_ > 1) {
      --up_to_watched_;
    } else if (now_.messages != 0) {
      watch_last();
    }
  }
  [[nodiscard]] bool has_waiters() const noexcept {
    return !Sync::planted(fault::admission_left_unheard) && waiters_.load() != 0;
  }
  entry enter_unlooked(std::uint64_t bytes) noexcept {
    bool may_enter = false;
    {
      const inside in(lock_);
      may_enter = fits(bytes);
    }
    if (!may_enter) return entry::full;
    const inside in(lock_);
    count(bytes);
    return entry::entered;
  }

  mutable sync::lock<Sync> lock_;
  // How many threads wait for room here. A thread raises it before it looks, and it is read under the lock under which
  // the thread looked.
  typename Sync::template atomic<std::uint32_t> waiters_{0};
  // Guarded by lock_.
  owner owner_ = nobody;
  amount now_;
  amount most_;
  std::uint64_t refused_ = 0;
  sync::time_point watched_since_{};
  std::uint64_t up_to_watched_ = 0;  // counts the message that is watched, and those that leave before it
};

}  // namespace tact::actors
