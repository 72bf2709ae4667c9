// Timers that a run sets and cancels: they are staged, and carried out at its commit. docs/protocols/timers.md.
#pragma once

#include <memory>

#include "actors/notifier.hpp"
#include "actors/run_state.hpp"
#include "actors/staged_timers.hpp"
#include "sync/owned_counter.hpp"

namespace tact::detail {

// Invariant: no other thread knows the record of a staged timer before the commit, which sets all timers of the run
// from the same moment.
// Thread safety: the thread of the run only, except the two counters.
class run_timers {
 public:
  run_timers(run_state& r, notifier& n) noexcept : run_(r), notifier_(n) {}

  // Stages a timer, and returns the place for the payload of its message. Throws std::bad_alloc, and what starting the
  // thread of the timers throws.
  [[nodiscard]] void* stage(port to, const message_type& type, const due_time& when, const timer_again* again,
                            timer_id& made);
  void stage_cancel(timer_id id);
  // The timer is the limit of an ask in a context with flags: when one of these is set, the ask ends.
  void note_flags(timer_id id, const context_node& c);

  void commit() noexcept {
    if (staged_ != nullptr) carry_out();
  }
  void abort() noexcept {
    if (staged_ != nullptr) throw_away();
  }
  void trim() noexcept;

  // What the run has staged by self.idle_after. Throws std::bad_alloc.
  [[nodiscard]] actors::staged_idle& idle();
  // Null: the run has staged nothing of it.
  [[nodiscard]] actors::staged_idle* staged_idle() noexcept {
    return staged_ == nullptr ? nullptr : staged_->idle.get();
  }

  // -- timers of the core's own, beside those that are staged
  [[nodiscard]] timer_record& take_record();  // throws std::bad_alloc
  [[nodiscard]] timer_record* try_take_record() noexcept;
  void give_record(timer_record& r) noexcept { staged_->spare.give(r); }
  // Sets a timer whose payload the caller has written. REQUIRES: the record is from here.
  timer_id set_record(timer_record& r, port to, const message_type& type, std::int64_t due_ns) noexcept;

  // -- from any thread
  [[nodiscard]] std::uint64_t set_so_far() const noexcept { return set_.read(); }
  [[nodiscard]] std::uint64_t cancelled_so_far() const noexcept { return cancelled_.read(); }

 private:
  [[nodiscard]] actors::staged_timers& prepare();
  void carry_out() noexcept;
  void throw_away() noexcept;
  void set() noexcept;
  void cancel() noexcept;

  run_state& run_;
  notifier& notifier_;
  std::unique_ptr<actors::staged_timers> staged_;  // null until the first timer is staged
  sync::owned_counter set_;
  sync::owned_counter cancelled_;
};

}  // namespace tact::detail
