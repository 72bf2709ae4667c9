#include "actors/life/staged_idle.hpp"

#include <utility>

#include "actors/common/this_thread.hpp"
#include "base/blocks.hpp"
#include "tact/failure.hpp"

namespace tact::actors {

closure& staged_idle::running_behavior() noexcept {
  if (const lane_stack* const waited = run_.at().resumed()) return *waited->behavior;
  return *static_cast<closure*>(const_cast<void*>(run_.hazard_slot().look().object));
}

void* staged_idle::stage(detail::port to, const detail::message_type& type, const detail::timer_again& again) {
  timers_.start();
  base::look_for_memory();
  auto wish = std::make_shared<idle_wish>(to, type, again);
  if (spare_ == nullptr) spare_ = &timers_.take();
  closure& running = running_behavior();
  if (watch_ != nullptr) {
    // Staged before in this run.
  } else if (const watched_type* const t = watched_type::of(running)) {
    watch_ = t->watch;
    watch_->share();
  } else if (cell_of(to).where().is_exclusive()) {
    watch_ = new idle_watch(to & ~detail::index_mask, false, classic_);
    unwatched_ = &running;
  } else {
    watch_parallel(running);
  }
  wish_ = std::move(wish);
  wish_->has_message = true;  // nothing throws from here until the caller has written it
  is_staged_ = true;
  run_.journal().note_other();
  return wish_->payload;
}

// A behaviour that other workers may be running is not changed: the actor becomes one with a watch.
void staged_idle::watch_parallel(closure& running) {
  if (run_.at().resumed() != nullptr) {
    throw usage_error(
        "self.idle_after: for an actor that is created with tact::parallel not behind a self.ask, because the actor "
        "has gone on meanwhile; call it in a handler that does not wait");
  }
  auto spare = std::make_unique<pinned_closures::entry>();
  auto* const watch = new idle_watch(detail::self_port(run_), true, classic_);
  try {
    becomes_ = new watched_behavior(*watch, running, pins_, spare);
    if (closure* const next = run_.journal().next()) watch->watch_over(*next);
  } catch (...) {
    if (becomes_ != nullptr) std::exchange(becomes_, nullptr)->give_up();
    watch->give_up();
    throw;
  }
  watch_ = watch;
  transactions::journal& j = run_.journal();
  if (j.next() != nullptr) return;
  const bool stops = j.stops();
  stage_become_again();
  if (stops) j.stop(j.how());  // it is the end that was staged, and not the become, that wins
}

void staged_idle::stage_end() {
  if (watch_ == nullptr) {
    const watched_type* const t = watched_type::of(running_behavior());
    if (t == nullptr) return;
    watch_ = t->watch;
    watch_->share();
  }
  wish_.reset();
  is_staged_ = true;
  run_.journal().note_other();
}

void staged_idle::follow_become(closure& next, const closure& replaced) noexcept {
  const base::may_use_reserve sure;
  if (const watched_type* const t = watched_type::of(replaced)) t->watch->watch_over(next);
}

void staged_idle::stage_become_again() noexcept {
  if (becomes_ == nullptr) return;
  becomes_->share();
  static_cast<void>(run_.journal().become(becomes_));
}

void staged_idle::commit() noexcept {
  if (!is_staged_) return;
  if (!run_.journal().stops()) {
    closure* const next = run_.journal().next();
    if (closure* const c = next != nullptr ? next : unwatched_; c != nullptr && becomes_ == nullptr)
      watch_->watch_over(*c);
    watch_->set(timers_, std::move(wish_), std::exchange(spare_, nullptr));
  }
  forget();
}

void staged_idle::abort() noexcept {
  if (is_staged_) forget();
}

void staged_idle::forget() noexcept {
  is_staged_ = false;
  wish_.reset();
  unwatched_ = nullptr;
  if (spare_ != nullptr) timers_.give(*std::exchange(spare_, nullptr));
  if (becomes_ != nullptr) std::exchange(becomes_, nullptr)->give_up();
  std::exchange(watch_, nullptr)->give_up();
}

}  // namespace tact::actors
