// Takes recorded decisions where they fit.
#include "tools/explorer/follower.hpp"

#include "tools/explorer/scheduler.hpp"

namespace tact::explorer {

using kind = decision::kind;

void follower::begin(unsigned) noexcept {
  at_ = 0;
  times_ = 0;
  fairness_.begin();
}

void follower::interfere(scheduler& s) noexcept {
  for (const decision* d = next(); d != nullptr && d->what != kind::run; d = next()) {
    ++at_;
    if (d->what == kind::let_out && contains(s.buffering(), d->thread)) s.let_out(d->thread);
    if (d->what == kind::time_out && contains(s.timed(), d->thread)) s.time_out(d->thread);
    if (d->what == kind::rouse && contains(s.asleep(), d->thread)) s.rouse(d->thread);
  }
}

unsigned follower::choose(scheduler& s, thread_set candidates) noexcept {
  const unsigned chosen = as_told(s, candidates);
  fairness_.chosen(chosen, s.runnable());
  return chosen;
}

unsigned follower::as_told(const scheduler& s, thread_set candidates) noexcept {
  for (const decision* d = next(); d != nullptr; d = next()) {
    if (d->what == kind::run && contains(candidates, d->thread)) {
      if (++times_ == d->times) {
        ++at_;
        times_ = 0;
      }
      return d->thread;
    }
    ++at_;
    times_ = 0;
  }
  return on_its_own(s, candidates);
}

unsigned follower::on_its_own(const scheduler& s, thread_set candidates) const noexcept {
  const unsigned running = s.running_thread();
  const thread_set fair = fairness_.allowed(s.runnable()) & candidates;
  if (contains(fair, running)) return running;
  return nth(fair != 0 ? fair : candidates, 0);
}

void follower::gave_way(const scheduler& s, unsigned thread) noexcept { fairness_.gave_way(thread, s.runnable()); }

unsigned follower::wakes(thread_set candidates) noexcept {
  const decision* d = next();
  if (d == nullptr || d->what != kind::wake || !contains(candidates, d->thread)) return nth(candidates, 0);
  ++at_;
  return d->thread;
}

bool follower::take(kind what, const scheduler& s) noexcept {
  const decision* d = next();
  const bool fits = d != nullptr && d->what == what && d->thread == s.running_thread();
  if (fits) ++at_;
  return fits;
}

bool follower::holds_back(const scheduler& s) noexcept { return take(kind::hold_back, s); }
bool follower::fails_spuriously(const scheduler& s) noexcept { return take(kind::fail, s); }

}  // namespace tact::explorer
