// The timers of one engine: a thread sends their messages when they are due. docs/protocols/timers.md.
#pragma once

#include <cstdint>
#include <optional>

#include "actors/cells/cell_store.hpp"
#include "actors/common/seating.hpp"
#include "actors/intake/burial.hpp"
#include "actors/intake/intake.hpp"
#include "actors/pressure/limits.hpp"
#include "actors/time/next_timers.hpp"
#include "actors/time/revocation.hpp"
#include "actors/time/timer_inbox.hpp"
#include "actors/time/timer_store.hpp"
#include "actors/time/timer_tally.hpp"
#include "actors/time/timer_wheel.hpp"
#include "dispatch/exchange/announcements.hpp"
#include "sync/lock.hpp"
#include "sync/mutex.hpp"
#include "sync/thread.hpp"
#include "tact/detail/core.hpp"
#include "tact/failure.hpp"

namespace tact::actors {

class drop_report;

// Invariant: each message leaves once or not at all, and belongs to one thread at a time, as the word of its record
// says. Thread safety: any thread, except as said.
class timers {
 public:
  // `bind`: says where the pages of records lie.
  timers(const engine_identity& identity, dispatch::dispatcher& workers, const actors::seating& seats, limits& limits,
         intake& into, burial& lost, base::page_binder bind) noexcept
      : identity_(identity),
        workers_(workers),
        seating_(seats),
        limits_(limits),
        intake_(into),
        burial_(lost),
        store_(identity.gate(), bind),
        outside_(store_),
        spare_(store_) {}
  timers(const timers&) = delete;
  timers& operator=(const timers&) = delete;

  // Called before a timer is staged or set. Afterwards the service's thread runs, or the engine ends. Throws
  // std::system_error.
  void start();
  [[nodiscard]] timer_store& store() noexcept { return store_; }
  [[nodiscard]] const timer_store& store() const noexcept { return store_; }

  using inbox_of_timers = timer_inbox<sync::real, timer_record>;
  using wake_when = inbox_of_timers::wake_when;

  // -- by the holders of records that wait
  // When the timer is due, by the clock of the service, which says `now`.
  [[nodiscard]] static std::int64_t due_ns(const detail::due_time& when, sync::time_point now) noexcept;
  // After so many timers the service is woken however late they are: cancelled ones may be among them.
  static constexpr unsigned set_without_a_look = 256;
  // Hands the records to the service. When the engine has ended they are dropped.
  void set(timer_record& first, timer_record& last, std::int64_t earliest_ns, wake_when when) noexcept;
  // As cell_store::rest.
  bool rest() noexcept;
  // For threads outside. take_outside throws std::bad_alloc.
  [[nodiscard]] timer_record& take_outside();
  // Sets a timer that will send this message. Throws what `start` throws, and std::bad_alloc; then the payload has
  // ended.
  detail::timer_id send_later(detail::port to, const detail::message_type& type, void* payload,
                              const detail::due_time& when, const detail::timer_again* again);
  void set_outside(timer_record& r) noexcept;
  void give_outside(timer_record& r) noexcept;

  // -- by cancellers. True: the timer will not fire any more; `end(record)` has ended its message, and `give(record)`
  // has given back the record if it belonged to the caller.
  template <class End, class Give>
  [[nodiscard]] bool cancel(detail::timer_id id, while_leaving w, End end, Give give) noexcept;
  // Called by a thread outside, or by a worker of another engine, which does not wait.
  [[nodiscard]] bool cancel_outside(detail::timer_id id, while_leaving how) noexcept;
  // Cancels the timer of an ask, from any thread, without waiting. Returns the customer to which the timer would have
  // sent; 0: it was too late.
  [[nodiscard]] detail::port cancel_ask(detail::timer_id id) noexcept;
  // Ends the message, and what else the record holds, of a timer that was set; or that was not set after all, so that
  // no answer is owed: see message_type::destroy.
  static void end_message(timer_record& r) noexcept;
  static void end_unset(timer_record& r) noexcept;
  // The customer that is to be told when the message will not be sent; 0: none, as for a timer that repeats.
  [[nodiscard]] static detail::port customer_of(timer_record& r) noexcept;
  [[nodiscard]] static failure cancelled_notice();

  // -- the end: close stops the service, so no more messages are sent; end, called when no worker is left, drops all
  // timers that are set.
  void close() noexcept;
  // `told`: is told of the timers that would have fired once.
  void end(drop_report* told) noexcept;

  // -- looking
  [[nodiscard]] const timer_tally& counted() const noexcept { return tally_; }
  // Those that are due next. Waits for the service, which looks at its wheel, until `until` at most; none: it has not
  // answered, or the caller is the service.
  [[nodiscard]] std::optional<next_timers::list> read_next(sync::deadline until) noexcept;

 private:
  using cancelling = timer_record::word_type::cancelling;

  static constexpr std::int64_t spread_ns = 250'000;   // timers due within such a time may be fired together
  static constexpr unsigned fired_in_a_row = 256;      // then the service looks for new ones
  static constexpr std::int64_t retry_ns = 1'000'000;  // after this time the service looks for memory again
  static constexpr std::int64_t stale_min = 1024;      // so many entries of cancelled timers do not matter

  void serve() noexcept;
  void arm_new() noexcept;
  void arm(timer_record* waiting) noexcept;
  [[nodiscard]] bool has_room(std::int64_t due_ns) noexcept;
  [[nodiscard]] bool fire_due(std::int64_t now) noexcept;
  void fire(const timer_wheel::entry& e, std::int64_t now) noexcept;
  void fire_once(const timer_wheel::entry& e) noexcept;
  void fire_again(const timer_wheel::entry& e, std::int64_t now) noexcept;
  void throw_out_stale() noexcept;
  [[nodiscard]] next_timers::list find_next() noexcept;
  [[nodiscard]] bool read(const timer_wheel::entry& e, next_timers::timer& to) noexcept;
  void drop(timer_record& r, drop_report* told = nullptr) noexcept;
  void drop_all(timer_record* waiting, drop_report* told = nullptr) noexcept;
  void note_stale() noexcept;

  const engine_identity& identity_;
  dispatch::dispatcher& workers_;
  const actors::seating& seating_;
  limits& limits_;
  intake& intake_;
  burial& burial_;
  timer_store store_;
  inbox_of_timers inbox_;

  sync::lock<sync::real> outside_lock_;
  timer_cache outside_;  // guarded by outside_lock_
  sync::atomic<unsigned> set_in_a_row_{0};

  sync::mutex start_lock_;
  sync::atomic<bool> started_{false};  // written under start_lock_
  bool ended_ = false;                 // guarded by start_lock_
  sync::thread thread_;
  sync::atomic<bool> closing_{false};

  timer_tally tally_;
  sync::atomic<std::int64_t> stale_{0};              // entries of the wheel whose timer was cancelled
  sync::atomic<std::int64_t> stale_max_{stale_min};  // with so many, they are thrown out

  next_timers next_;

  // Belongs to the service; when that has ended, to the thread that ends the engine.
  timer_wheel wheel_;
  timer_record* unarmed_ = nullptr;  // timers for which there was no memory; linked by next, oldest first
  timer_cache spare_;
  std::optional<dispatch::announcements> announcements_;  // of the shards to which a row of timers was fired
  std::int64_t last_round_ns_ = 0;
};

template <class End, class Give>
bool timers::cancel(detail::timer_id id, while_leaving w, End end, Give give) noexcept {
  timer_record& r = *id.record;
  const cancelling how = w == while_leaving::waits ? r.word.cancel_and_wait(id.key) : r.word.cancel(id.key);
  switch (how) {
    case cancelling::too_late:
      return false;
    case cancelling::under_way:
      r.word.stop(id.key);
      return false;
    case cancelling::ends_message:
      end(r);
      if (r.word.emptied(id.key)) return true;
      break;
    case cancelling::ends_all:
      end(r);
      note_stale();
      break;
  }
  r.word.end(id.key);
  give(r);
  return true;
}

}  // namespace tact::actors
