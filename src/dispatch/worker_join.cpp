// A worker that holds several shards at once. Protocol page: docs/protocols/joint_hold.md.
#include <algorithm>

#include "dispatch/dispatcher.hpp"
#include "dispatch/worker.hpp"

namespace tact::dispatch {

bool worker::join(std::uint32_t number) noexcept {
  mailbox::shard& s = owner_->shard_at(number);
  if (!may_take_over(s) || !s.word.try_hold()) return false;
  // While it was run elsewhere its actors may have sent to shards that are held here: that goes before what they send
  // from now on.
  if (anything_came()) {
    let_go(s);
    return false;
  }
  add(s);
  return true;
}

// Nobody runs it, and its owner runs nothing.
bool worker::may_take_over(const mailbox::shard& s) const noexcept {
  if (!owner_->is_ordinary(s.number) || !s.word.is_idle()) return false;
  const std::uint32_t owner = s.owner.load();
  return owner == index_ || owner_->workers()[owner]->stamp() == steal_view::no_stamp;
}

bool worker::anything_came() const noexcept {
  const auto& others = joined_.all();
  return !first_->word.nothing_came() ||
         std::any_of(others.begin(), others.end(), [](const mailbox::shard* s) { return !s->word.nothing_came(); });
}

// The lane is empty, or its turn is over. Instead of letting go, the worker brings what has come for any of its shards
// into this lane. False: there is nothing, or who waits should not wait longer.
bool worker::goes_on(mailbox::shard& s) {
  if (joined_.empty() ? !runner_->may_join(s) : !runner_->may_stay_joined(s)) return false;
  if (stops() || heavy_waits()) return false;
  if (s.lane.empty()) let_more_come(s);
  keep_sent(s);
  flush();  // what is joined from here on has no open outbox
  gather(s);
  if (s.lane.empty()) return false;
  runner_->publish_counters(false);
  owner_->reclamation().quiesce(index_);
  stamp_.set(owner_->ticks());
  return true;
}

// One that is kept for heavy actors is never held together with others.
bool worker::heavy_waits() const noexcept {
  for (std::size_t i = 0; i < slots_->size(); ++i) {
    const mailbox::shard* const s = (*slots_)[i].load();
    if (s != nullptr && !owner_->is_ordinary(s->number) && s->word.eligible()) return true;
  }
  return false;
}

// What was sent to sleepers, too little to wake them for. Gathered afterwards, for the reason given in join.
void worker::keep_sent(mailbox::shard& into) {
  if (outboxes_.nothing_open() || !runner_->may_keep(into)) return;
  outboxes_.take_some([&](std::uint32_t number, mailbox::outbox_set::outbox& box) {
    mailbox::shard& s = owner_->shard_at(number);
    if (box.queue.empty() || !may_take_over(s) || !s.word.try_hold()) return false;
    add(s);
    const std::uint64_t came = s.accept({box.queue.take().oldest, false}, chunks_, into.lane);
    outboxes_.count_published(number, came);
    counters_.gulped.add(came);
    return true;
  });
}

bool worker::keeps_some() const noexcept {
  const auto& open = outboxes_.all_open();
  return std::any_of(open.begin(), open.end(), [&](std::uint32_t number) {
    const mailbox::shard& s = owner_->shard_at(number);
    return s.owner.load() != index_ && may_take_over(s);
  });
}

void worker::gather(mailbox::shard& into) {
  for (std::size_t i = 0; i < slots_->size() && runner_->may_join(into); ++i) {
    mailbox::shard* const s = (*slots_)[i].load();
    mailbox::gulped<mailbox::chunk> taken;
    if (s == nullptr || !owner_->is_ordinary(s->number) || !s->word.eligible() || !s->word.try_gulp(taken)) continue;
    add(*s);
    s->lane.move_to(into.lane, chunks_);
    take(*s, taken, into);
  }
  // After that: for the reason given in join.
  if (!into.word.nothing_came()) take(into, into.word.gulp(), into);
  for (mailbox::shard* s : joined_.all()) {
    if (!s->word.nothing_came()) take(*s, s->word.gulp(), into);
  }
}

void worker::take(mailbox::shard& s, const mailbox::gulped<mailbox::chunk>& what, mailbox::shard& into) noexcept {
  s.ns_per_message = into.ns_per_message;
  counters_.gulps.add(1);
  last_gulp_ = s.accept(what, chunks_, into.lane);
  counters_.gulped.add(last_gulp_);
}

void worker::add(mailbox::shard& s) noexcept {
  joined_.add(s);
  counters_.joins.add(1);
  if (s.owner.load() != index_) counters_.adoptions.add(1);
}

// Each shard gets back what is its own, and may be run by others again.
void worker::part(mailbox::shard& s) {
  if (joined_.empty()) return;
  runner_->part(s, joined_);
  runner_->publish_counters(false);  // what goes back to its shard may be run elsewhere: counted first
  flush();
  for (mailbox::shard* other : joined_.all()) let_go(*other);
  joined_.clear();
}

void worker::let_go(mailbox::shard& s) noexcept {
  if (!s.lane.empty()) {
    s.word.release_with_rest();
  } else if (s.word.release()) {
    return;
  } else {
    s.word.hand_over();
  }
  left_behind(s);
}

}  // namespace tact::dispatch
