// Timers that a run sets and cancels: they are staged, and carried out at its commit. docs/protocols/timers.md.
#pragma once

#include <memory>

#include "actors/common/gate.hpp"
#include "actors/common/names.hpp"
#include "actors/life/staged_idle.hpp"
#include "actors/sending/core_sender.hpp"
#include "actors/staging/run_state.hpp"
#include "actors/staging/timer_setter.hpp"
#include "actors/time/staged_timers.hpp"

namespace tact::actors {

// Invariant: no other thread knows the record of a staged timer before the commit, which sets all timers of the run
// from the same moment.
// Thread safety: the thread of the run only.
class run_timers {
 public:
  // `own_gate`: that of the engine.
  run_timers(run_state& r, core_sender& n, timer_setter& setter, staged_idle& idle,
             const engine_gate& own_gate) noexcept
      : run_(r), core_sender_(n), setter_(setter), idle_(idle), own_gate_(own_gate) {}

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

  // What the run has staged by self.idle_after. Throws std::bad_alloc.
  [[nodiscard]] actors::staged_idle& idle();
  // Null: the run has staged nothing of it.
  [[nodiscard]] actors::staged_idle* staged_idle() noexcept { return staged_ == nullptr ? nullptr : &idle_; }

 private:
  [[nodiscard]] staged_timers& prepare();
  void carry_out() noexcept;
  void throw_away() noexcept;
  void set() noexcept;
  void cancel() noexcept;

  run_state& run_;
  core_sender& core_sender_;
  timer_setter& setter_;
  actors::staged_idle& idle_;
  const engine_gate& own_gate_;
  std::unique_ptr<staged_timers> staged_;  // null until the first timer is staged
};

}  // namespace tact::actors
