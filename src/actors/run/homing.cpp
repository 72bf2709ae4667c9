#include "actors/run/homing.hpp"

namespace tact::actors {

using mailbox::envelope;

void homing::go_home(cell& c) noexcept {
  if (c.word.go_home()) run_.counts().types.of(*c.type()).went_home.add(1);
}

// True: the actor becomes all the time, on the worker that holds its home shard, and no other worker collides with it.
// Then it pays for being parallel and gains nothing by it, so it goes home. This decides about speed only, like all
// that home_stay says.
bool homing::becomes_alone(const cell& c) noexcept {
  constexpr unsigned in_a_row = 64;
  constexpr std::uint64_t stretch_max = 4 * in_a_row;
  if (&c != becoming_.actor || run_.counts().now.committed - becoming_.since > stretch_max) {
    becoming_ = {&c, run_.counts().now.committed, 1};
    return false;
  }
  return ++becoming_.times == in_a_row && run_.is_home(c);
}

// A message that was sent home already may not: the only run that it has left is the one at home.
bool homing::may_run_away(const envelope& e, const cell& c) const noexcept {
  if (e.is_forwarded() || e.is_special() || c.where().is_exclusive() || c.where().is_one_shot()) return false;
  return !c.stay.becomes_lately(index_of(e.target())) && !c.stay.is_due(home_stretch_);
}

void homing::note_run_away(cell& c) noexcept {
  if (++runs_away_ % home_stay::read_sample == 0) c.stay.count_read_away();
}

inline bool homing::stays_open(unsigned index, cell& c, bool became) noexcept {
  if (became) c.stay.note_become(index);
  return c.stay.goes_on_with_readers(became, home_stretch_);
}

void homing::note_run_at_home(unsigned index, cell& c, cell::word_value seen) noexcept {
  const auto now = c.word.load();
  if (now.is_ended()) return;
  const bool became = now.closure() != seen.closure();
  if (seen.is_shut() ? c.stay.goes_on(became, home_stretch_) : stays_open(index, c, became)) return;
  const auto verdict = c.stay.judge();
  c.send_by(verdict == home_stay::verdict::everybody_home ? c.where().exclusive() : c.where());
  switch (verdict) {
    case home_stay::verdict::everybody_home:
      if (!now.is_shut()) c.word.shut_home(now);
      return;
    case home_stay::verdict::readers_away:
      if (now.is_shut()) c.word.open_home(now);
      return;
    case home_stay::verdict::parallel:
      c.word.leave_home(now);
      run_.counts().types.of(*c.type()).came_back.add(1);
  }
}

}  // namespace tact::actors
