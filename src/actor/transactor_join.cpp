// Whether a worker runs several shards from one lane. docs/protocols/joint_hold.md.
#include "actor/transactor.hpp"

namespace tact::detail {

using mailbox::envelope;

// Shards are apart so that others may take some of them. While there are no others nothing is too long or too slow.
bool transactor::may_join(const mailbox::shard& held) const noexcept {
  if (!joins_ || !engine_->workers().is_ordinary(held.number)) return false;
  if (engine_->workers().has_one_runner()) return true;
  if (!pace_.is_quick() || tally_.committed < apart_until_) return false;
  const std::size_t waiting = held.lane.slots_waiting();
  return is_short(waiting) && !(idle_->any() && pace_.worth_sharing(waiting));
}

// While everybody is busy nobody waits for a part of it: what waits in one lane would wait in several for as long.
bool transactor::is_short(std::size_t waiting) const noexcept {
  return idle_->any() ? pace_.soon_done(waiting) : pace_.done_in_time(waiting);
}

// Half of what is worth sharing, because it grows: to part again costs more than to publish.
bool transactor::may_keep(const mailbox::shard& held) const noexcept {
  return may_join(held) && !pace_.worth_sharing(2 * (held.lane.slots_waiting() + worker_->outboxes().slots_waiting()));
}

// Who has just run out of work may have got some a moment ago: it takes more than one look to divide a long lane.
bool transactor::may_stay_joined(const mailbox::shard& held) noexcept {
  if (engine_->workers().has_one_runner()) return true;
  const std::size_t waiting = held.lane.slots_waiting();
  const bool would_help = idle_->any() && pace_.worth_sharing(waiting);
  looks_at_idle_ = would_help ? looks_at_idle_ + 1 : 0;
  return pace_.is_quick() && is_short(waiting) && looks_at_idle_ < looks_before_parting;
}

// In turn, so that each actor's messages stay in order. To move them back and forth must not cost more than to run
// them.
void transactor::part(mailbox::shard& held, const dispatch::joint_hold& with) noexcept {
  const base::may_use_reserve sure;
  const std::uint64_t waiting = held.lane.count_messages();
  for (std::uint64_t left = waiting; left != 0; --left) {
    envelope& e = held.lane.front();
    const actor::route r = actor::route_of(e.target());
    const bool elsewhere = (r.is_exclusive() || e.is_forwarded()) && r.shard() < shards && with.has(r.shard());
    const unsigned slots = e.slots();
    mailbox::copy_queue& to = elsewhere ? engine_->workers().shard_at(r.shard()).lane : held.lane;
    e.relocate(to.reserve(slots, worker_->chunks()));
    held.lane.pop(slots, worker_->chunks());
  }
  looks_at_idle_ = 0;
  apart_until_ = tally_.committed + apart_times * waiting;
}

}  // namespace tact::detail
