// The three kinds of random schedules, and the odds of events that come from outside the threads.
#include "tools/explorer/chance.hpp"

#include "tools/explorer/scheduler.hpp"

namespace tact::explorer {
namespace {

constexpr std::uint32_t sticky_odds = 6;
constexpr std::uint32_t time_out_odds = 32;

}  // namespace

void chance::begin(unsigned thread_count) noexcept {
  random_ = random(seed_);
  random_ = random(random_.next());  // else neighbouring seeds would share their sequences, shifted by one
  kind_ = static_cast<kind>(random_.below(3));
  drain_odds_ = 1u << random_.below(7);
  change_odds_ = 2u << random_.below(6);
  spurious_odds_ = random_.one_in(4) ? 16 : 0;
  lowest_priority_ = 0;
  for (unsigned i = 0; i < thread_count; ++i) priorities_[i] = static_cast<std::int64_t>(random_.next() >> 2);
}

void chance::interfere(scheduler& s) noexcept {
  if (s.buffering() != 0 && random_.one_in(drain_odds_)) s.let_out(any_of(s.buffering()));
  if (s.asleep() == 0) return;
  if (s.timed() != 0 && random_.one_in(time_out_odds)) s.time_out(any_of(s.timed()));
  if (s.asleep() != 0 && s.runnable() != 0 && something_spurious()) s.rouse(any_of(s.asleep()));
}

unsigned chance::choose(scheduler& s, thread_set candidates) noexcept {
  const unsigned running = s.running_thread();
  if (kind_ == kind::priority) {
    if (random_.one_in(change_odds_)) lower(running);
    return highest_among(candidates);
  }
  if (kind_ == kind::sticky && contains(candidates, running) && !random_.one_in(sticky_odds)) return running;
  return any_of(candidates);
}

unsigned chance::highest_among(thread_set candidates) const noexcept {
  unsigned best = nth(candidates, 0);
  for (thread_set left = candidates; left != 0; left &= left - 1) {
    const unsigned i = nth(left, 0);
    if (priorities_[i] > priorities_[best]) best = i;
  }
  return best;
}

unsigned chance::any_of(thread_set candidates) noexcept { return nth(candidates, random_.below(size_of(candidates))); }

}  // namespace tact::explorer
