// What a run has staged by self.idle_after and self.never_idle.
#pragma once

#include <memory>

#include "actors/cells/classic_watches.hpp"
#include "actors/cells/pinned_closures.hpp"
#include "actors/life/idle_watch.hpp"
#include "actors/staging/run_state.hpp"
#include "actors/staging/timer_setter.hpp"
#include "transactions/journal.hpp"

namespace tact::actors {

// Thread safety: owner only.
class staged_idle {
 public:
  staged_idle(run_state& r, timer_setter& timers, classic_watches& classic, pinned_closures& pins) noexcept
      : run_(r), timers_(timers), classic_(classic), pins_(pins) {}
  staged_idle(const staged_idle&) = delete;
  staged_idle& operator=(const staged_idle&) = delete;

  // Stages a wish, and returns the place for the payload of its message. The last one wins. Throws std::bad_alloc, and
  // usage_error where a parallel actor cannot become.
  [[nodiscard]] void* stage(detail::port to, const detail::message_type& type, const detail::timer_again& again);
  // Stages that the actor's wish is taken back.
  void stage_end();
  // The run has staged a become over another one, or has taken its become back.
  static void follow_become(detail::closure& next, const detail::closure& replaced) noexcept;
  void stage_become_again() noexcept;

  void commit() noexcept;
  void abort() noexcept;

 private:
  void watch_parallel(detail::closure& running);
  void forget() noexcept;

  [[nodiscard]] detail::closure& running_behavior() noexcept;

  run_state& run_;
  timer_setter& timers_;
  classic_watches& classic_;
  pinned_closures& pins_;
  bool is_staged_ = false;
  std::shared_ptr<idle_wish> wish_;        // null: it is taken back
  idle_watch* watch_ = nullptr;            // with a share
  detail::timer_record* spare_ = nullptr;  // for the timer
  detail::closure* unwatched_ = nullptr;   // of an exclusive actor: gets the watch unless the run becomes
  watched_behavior* becomes_ = nullptr;    // of a parallel actor without a watch, with a share
};

}  // namespace tact::actors
