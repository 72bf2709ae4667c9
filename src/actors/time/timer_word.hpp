// The state of one timer: whether its message may still leave, and to which thread its record belongs.
#pragma once

#include <cstdint>

#include "sync/policy.hpp"

namespace tact::actors {

// A record that waits has a *holder*: first the thread that hands it to the service, then the service. An armed one has
// none. A *canceller* is any thread that has the key.
//
//   free --begin--> waiting --arm--> armed --begin_fire--> firing --end--> free
//                      | ^--disarm---- | ^                   | |
//                      | withdraw      | +------rearm--------+ stop
//                      +---> free      | cancel                v
//                      | cancel        +---> free             last --end--> free
//                      v
//                  cancelled --emptied by the canceller--> emptied --end by the holder--> free
//                      |
//                      +-------left by the holder--------> left --end by the canceller--> free
//
// A key names one use of the record. Each move to free changes it, so a key that is reserved for ever does no harm.
//
// Invariants
// 1. A message leaves in firing or last only, and these are reached from armed only. So the thread that has moved the
//    word from armed or waiting to another state has the message, alone.
// 2. The thread that moves a word to free has the record, alone. Of a holder and a canceller, that is the one that is
//    done last.
// 3. A key stays valid until its message has been counted as sent.
// Protocol page: docs/protocols/timers.md.
template <class Sync>
class timer_word {
 public:
  using key = std::uint64_t;

  enum class cancelling : unsigned char {
    too_late,      // it has fired, or another thread has cancelled it
    under_way,     // its message is leaving: look again, or stop
    ends_message,  // the caller ends the message, then calls emptied
    ends_all,      // the caller ends the message, and has the record
  };

  // A word of zeros is that of a free record whose page the system has got back. No timer has the key 0, so no thread
  // with an old key changes such a word.
  static constexpr key first_key = 8;
  // Makes the record one that is free, and has this key for its next use.
  // relaxed: private until published; a thread with an old key finds in this word what it would find in one of zeros.
  void wake(key k) noexcept { word_.store(k, std::memory_order_relaxed); }

  // -- the thread that has a free record
  // The key of the next use of the record.
  // relaxed: private until published; the thread that gave the record to the caller did it under a lock.
  [[nodiscard]] key key_of_free() const noexcept { return word_.load(std::memory_order_relaxed); }
  // The record is to be set. Returns its key.
  key begin() noexcept {
    const key k = key_of_free();
    word_.store(k | waiting);
    return k;
  }

  // The next use of a free record does not come, although its key was handed out.
  // relaxed: private until published; a thread with the old key finds in this word that it does not fit.
  void skip() noexcept { word_.store(after(key_of_free()), std::memory_order_relaxed); }

  // -- the holder of a record that waits
  [[nodiscard]] key key_of_held() const noexcept { return word_.load() & ~states; }
  // False: the timer was cancelled; call leave.
  [[nodiscard]] bool arm(key k) noexcept { return move(k | waiting, k | armed); }
  // The timer is not to be armed. True: message and record belong to the caller. False: call leave.
  [[nodiscard]] bool withdraw(key k) noexcept { return move(k | waiting, after(k)); }
  // True: the message is gone, and the record belongs to the caller, which calls end. False: the canceller will.
  [[nodiscard]] bool leave(key k) noexcept {
    if (Sync::planted(sync::fault::timer_freed_by_both)) return true;
    return !move(k | cancelled, k | left);
  }

  // -- the service
  // An armed record waits again, and has the service as its holder, which may read what it holds. False: the timer is
  // not armed any more.
  [[nodiscard]] bool disarm(key k) noexcept { return move(k | armed, k | waiting); }
  // False: the timer is not armed any more.
  [[nodiscard]] bool begin_fire(key k) noexcept {
    if (Sync::planted(sync::fault::timer_fires_unasked)) return word_.store(k | firing), true;
    return move(k | armed, k | firing);
  }
  // False: the timer was stopped, or fires only once; call end.
  [[nodiscard]] bool rearm(key k) noexcept { return move(k | firing, k | armed); }
  // Frees the record, which belongs to the caller from here on.
  void end(key k) noexcept { word_.store(after(k)); }
  // An armed timer is not to fire. True: message and record belong to the caller.
  [[nodiscard]] bool drop(key k) noexcept { return move(k | armed, after(k)); }
  // A hint; but once it is false it stays false.
  [[nodiscard]] bool may_fire(key k) const noexcept { return word_.load() == (k | armed); }

  // -- any thread
  // A hint; but once it is false it stays false.
  [[nodiscard]] bool is_in_use(key k) const noexcept { return (word_.load() & ~states) == k; }
  [[nodiscard]] cancelling cancel(key k) noexcept {
    for (;;) {
      const std::uint64_t seen = word_.load();
      if (seen == (k | waiting)) {
        if (move(seen, k | cancelled)) return cancelling::ends_message;
      } else if (seen == (k | armed)) {
        if (move(seen, after(k))) return cancelling::ends_all;
      } else {
        const bool leaves = seen == (k | firing) || seen == (k | last);
        if (Sync::planted(sync::fault::timer_cancel_hurries)) return cancelling::too_late;
        return leaves ? cancelling::under_way : cancelling::too_late;
      }
    }
  }
  // As cancel, but waits as long as a message is leaving.
  [[nodiscard]] cancelling cancel_and_wait(key k) noexcept {
    for (;;) {
      const cancelling how = cancel(k);
      if (how != cancelling::under_way) return how;
      Sync::pause();
    }
  }
  // Makes the message that is leaving the last one. False: no message is leaving any more.
  bool stop(key k) noexcept { return move(k | firing, k | last); }
  // The canceller has ended the message. True: the holder will call end. False: the record belongs to the caller, which
  // calls end.
  [[nodiscard]] bool emptied(key k) noexcept { return move(k | cancelled, k | empty); }

 private:
  enum state : std::uint64_t { free, waiting, armed, firing, last, cancelled, empty, left, states = 7 };
  static constexpr std::uint64_t step = states + 1;
  static_assert(first_key % step == 0);

  static constexpr std::uint64_t after(key k) noexcept { return k + step; }
  bool move(std::uint64_t from, std::uint64_t to) noexcept { return word_.compare_exchange_strong(from, to); }

  // bits 2..0: state; the others: key, which moves on when the record is free again.
  typename Sync::template atomic<std::uint64_t> word_{free};
};

}  // namespace tact::actors
