#include "dispatch/workers/idleness.hpp"

namespace tact::dispatch {

void idleness::become_busy() noexcept {
  idle_ = false;
  was_idle_ = true;
  exchange_.waker().idle().remove(worker_);
}

void idleness::become_idle() noexcept {
  idle_ = true;
  since_ = sync::stopwatch::now();
  exchange_.status_of(worker_).show_none_waiting();
  show();
  exchange_.status_of(worker_).show_nothing();
}

void idleness::show() noexcept {
  idle_set& idle = exchange_.waker().idle();
  const bool shows = idle_ && !rests();
  if (idle.has(worker_) == shows) return;
  if (!shows) idle.remove(worker_);
  // The second look: the thread that lets it run again may have put it into the set meanwhile.
  if (shows || (idle_ && !rests())) idle.add(worker_);
}

// If another shard or an office waits, and no worker keeps watch, an idle worker should do so, because the handler that
// comes first may take long. What waits behind other workers counts as well: this one may have kept watch for them, or
// have been called to. While its handlers are quick it will be idle again soon, and watch by itself.
void idleness::call_watch(bool is_quick) noexcept {
  waker& all = exchange_.waker();
  if (!all.can_watch()) return;
  if (exchange_.anything_eligible(worker_) || (all.has_idle() && !is_quick && waits_behind_others()))
    all.call_watch(worker_);
}

bool idleness::waits_behind_others() const noexcept {
  for (unsigned w = 0; w < exchange_.running(); ++w) {
    if (w != worker_ && !exchange_.waker().idle().has(w) && exchange_.anything_eligible(w)) return true;
  }
  return false;
}

bool idleness::is_of_all() const noexcept { return rests() || exchange_.waker().idle().are_all(exchange_.running()); }

void idleness::begin() noexcept {
  idle_ = true;
  exchange_.waker().idle().add(worker_);
}

void idleness::end() noexcept {
  exchange_.waker().idle().remove(worker_);
  exchange_.status_of(worker_).show_nothing();
}

}  // namespace tact::dispatch
