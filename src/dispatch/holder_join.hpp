// How a holder holds several shards at once, and runs them from one lane. docs/protocols/joint_hold.md.
#pragma once

#include <algorithm>

#include "dispatch/holder.hpp"

namespace tact::dispatch {

template <class Context>
bool holder<Context>::join(std::uint32_t number) noexcept {
  shard& s = owner_->mail().shard_at(number);
  if (!may_take_over(s) || !s.word.try_hold()) return false;
  // While the shard was run elsewhere, its actors may have sent messages to shards that are held here: these come
  // before what those actors send from now on. And a message that was sent to the shard from here may have come through
  // its office only after the shard was taken: it comes before what is sent to the shard from now on. So the shard is
  // not joined if anything has come.
  if (anything_came(s) && !planted(sync::fault::join_without_look)) {
    let_go(s);
    return false;
  }
  add(s);
  return true;
}

// No worker holds the shard and nothing waits there; and either its messages come to this worker, or its owner is idle.
template <class Context>
bool holder<Context>::may_take_over(const shard& s) const noexcept {
  return owner_->mail().is_ordinary(s.number) && s.word.is_idle() && is_for_me(s);
}

template <class Context>
bool holder<Context>::is_for_me(const shard& s) const noexcept {
  const std::uint32_t owner = s.owner.load();
  return owner == index_ || owner_->announcer().owner_of_office(s.office) == index_ ||
         owner_->stealing().is_idle(owner);
}

// Looks at the offices first: a worker lets go of an office only after it has brought what was there to the shards.
template <class Context>
bool holder<Context>::anything_came(const shard& for_this) const noexcept {
  const auto is_at_rest = [&](std::uint32_t i) {
    return owner_->mail().office_at(i).word.is_at_rest() || planted(sync::fault::join_without_office);
  };
  const auto& offices = held_.offices();
  if (!is_at_rest(for_this.office) || !is_at_rest(held_.first().office)) return true;
  if (!std::all_of(offices.begin(), offices.end(), is_at_rest)) return true;
  const auto& others = held_.joined();
  const auto has_some = [](const shard* s) { return !s->word.nothing_came(); };
  return has_some(&for_this) || has_some(&held_.first()) || std::any_of(others.begin(), others.end(), has_some);
}

// The lane is empty, or its turn is over. Instead of letting go, the worker brings what has come for any of its shards
// into this lane. False: nothing has come, or the worker should not go on: handlers are not quick, idle workers could
// run a part, a heavy actor's shard waits, or the dispatcher stops.
template <class Context>
bool holder<Context>::goes_on(shard& s) {
  if (held_.is_first_alone() ? !runner_->may_join(s) : !runner_->may_stay_joined(s)) return false;
  if (stops() || heavy_waits()) return false;
  if (s.lane.empty()) let_more_come(s);
  flush();
  if (s.lane.empty()) return_foreign();
  gather(s);
  if (s.lane.empty()) return false;
  has_run();
  takes_up();
  return true;
}

// Lets go of joined shards whose messages come to other workers, which would have to send them on to this one.
// REQUIRES: the lane is empty, and no outbox is open.
template <class Context>
void holder<Context>::return_foreign() noexcept {
  held_.remove_if([this](shard& s) {
    return owner_->announcer().owner_of_office(s.office) != index_ && !is_for_me(s) && s.word.release();
  });
}

// True: a shard that is kept for heavy actors waits. Such a shard is never held together with others.
template <class Context>
bool holder<Context>::heavy_waits() const noexcept {
  for (std::size_t i = 0; i < own_shards(); ++i) {
    const shard* const s = own_shard(i);
    if (s != nullptr && !owner_->mail().is_ordinary(s->number) && s->word.eligible()) return true;
  }
  return false;
}

template <class Context>
void holder<Context>::take(shard& s, const mailbox::gulped<chunk>& what, shard& into) noexcept {
  s.ns_per_message = into.ns_per_message;
  last_gulp_ = count_gulp(s.accept(what, chunks_, into.lane));
}

template <class Context>
void holder<Context>::add(shard& s) noexcept {
  held_.add(s);
  counters_.joins.add(1);
  if (s.owner.load() != index_) counters_.adoptions.add(1);
}

// Gives each joined shard its own messages back and lets go of it, so that other workers may run it again.
template <class Context>
void holder<Context>::part(shard& s) {
  if (held_.is_first_alone()) return;
  runner_->part(s);
  runner_->publish_counters(false);  // counted before others can run what goes back
  flush();
  for (shard* other : held_.joined()) let_go(*other);
  held_.part();
}

}  // namespace tact::dispatch
