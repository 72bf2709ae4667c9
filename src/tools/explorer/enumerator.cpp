// The possibilities at each point, and the path through them.
#include "tools/explorer/enumerator.hpp"

#include "tools/explorer/scheduler.hpp"

namespace tact::explorer {

void enumerator::begin(unsigned) noexcept {
  depth_ = 0;
  free_ = true;
  preemptions_left_ = preemptions_max_;
  late_stores_left_ = late_stores_max_;
  fairness_.begin();
}

bool enumerator::advance() {
  astray_ = astray_ || depth_ != path_.size();
  while (!path_.empty() && path_.back().taken + 1 == path_.back().possible) path_.pop_back();
  if (path_.empty()) return false;
  ++path_.back().taken;
  return true;
}

unsigned enumerator::pick(unsigned possible) noexcept {
  if (possible == 1) return 0;
  if (depth_ == path_.size()) path_.push_back({0, possible});
  choice& c = path_[depth_++];
  if (c.possible != possible) {
    astray_ = true;
    return 0;
  }
  return c.taken;
}

unsigned enumerator::choose(scheduler& s, thread_set candidates) noexcept {
  const unsigned running = s.running_thread();
  const bool could_stay = !free_ && contains(candidates, running);
  free_ = false;
  const thread_set fair = fairness_.allowed(s.runnable()) & candidates;
  thread_set possible = others(s, fair != 0 ? fair : candidates);
  if (could_stay) possible = preemptions_left_ == 0 ? 0 : possible & ~bit(running);
  const unsigned n = pick(size_of(possible) + could_stay);
  const unsigned chosen = could_stay && n == 0 ? running : nth(possible, n - could_stay);
  if (could_stay && chosen != running) --preemptions_left_;
  if (contains(s.timed(), chosen)) {
    fairness_.gave_way(chosen, s.runnable());
    s.time_out(chosen);
  }
  fairness_.chosen(chosen, s.runnable());
  let_stores_out(s, chosen);
  return chosen;
}

// The candidates, and the sleepers whose deadlines may pass. A sleeper that sleeps again and again gives way each time.
thread_set enumerator::others(const scheduler& s, thread_set candidates) const noexcept {
  thread_set result = candidates;
  for (thread_set left = s.timed(); left != 0; left &= left - 1) {
    const unsigned t = nth(left, 0);
    if (!fairness_.would_wait(t, s.runnable())) result |= bit(t);
  }
  return result;
}

void enumerator::gave_way(const scheduler& s, unsigned thread) noexcept {
  fairness_.gave_way(thread, s.runnable());
  free_ = true;
}

// A thread sees its own stores in any case: whether they are out matters first to the next operation of another thread.
void enumerator::let_stores_out(scheduler& s, unsigned chosen) noexcept {
  for (thread_set holding; (holding = s.buffering() & ~bit(chosen)) != 0;) {
    const unsigned n = pick(1 + size_of(holding));
    if (n == 0) return;
    s.let_out(nth(holding, n - 1));
  }
}

bool enumerator::holds_back(const scheduler&) noexcept {
  if (late_stores_left_ == 0 || pick(2) == 0) return false;
  --late_stores_left_;
  return true;
}

}  // namespace tact::explorer
