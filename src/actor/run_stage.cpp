// What a handler stages: sends, becomes, creations.
#include <new>
#include <optional>

#include "actor/failures.hpp"
#include "actor/run.hpp"

namespace tact::detail {

using actor::cell;
using actor::cell_of;
using mailbox::envelope;

void* run::stage(port to, const message_type& type) {
  if (to <= index_mask) [[unlikely]]
    to = actor::or_nobody(to);
  if (debt_ != 0 && same_actor(to, debt_)) debt_ = 0;
  const actor::route r = cell_of(to).where();
  void* place;
  if (r.is_parallel_in(parallel_key_)) {
    place = idle_->any() ? stage_spread(type.slots()) : journal_.to_lane(type.slots());
  } else if (r.bits() == home_route_) {
    place = journal_.to_lane(type.slots());
  } else {
    place = stage_elsewhere(to, r, type.slots());
  }
  return (new (place) envelope(type, to))->payload();
}

// A message that may run anywhere, while somebody sleeps: what this run sends beyond what is done sooner here than
// there goes round over the sleeping workers and this one.
void* run::stage_spread(unsigned slots) {
  if (!pace_.worth_sharing(journal_.sent_in_run())) return journal_.to_lane(slots);
  const auto turn = static_cast<unsigned>(journal_.sent_in_run() % (idle_->count() + 1));
  const auto helper = turn == 0 ? std::nullopt : idle_->next_after(last_helper_);
  if (!helper || *helper == worker_->index()) return journal_.to_lane(slots);
  last_helper_ = *helper;
  flush_soon_ = true;
  return journal_.to_outbox(shard_of(*helper), slots);
}

std::uint32_t run::shard_of(unsigned helper) noexcept {
  return engine_->workers().workers()[helper]->homes().at(helped_++);
}

void* run::stage_elsewhere(port to, actor::route r, unsigned slots) {
  if (r.engine() == engine_->id()) return journal_.to_outbox(r.shard(), slots);
  // Of another engine; or of none that is left, and then a dead letter of this one.
  return actor::is_current(to) ? journal_.to_abroad(slots) : journal_.to_lane(slots);
}

void* run::stage_round(port to, const message_type& type) {
  to = actor::or_nobody(to);
  if (!cell_of(to).where().is_parallel_in(engine_->id())) return stage(to, type);
  if (debt_ != 0 && same_actor(to, debt_)) debt_ = 0;
  const std::uint32_t next = (shard_->number + ++sent_round_) % engine_->workers().ordinary_shards();
  flush_soon_ = true;
  return (new (journal_.to_outbox(next, type.slots())) envelope(type, to))->payload();
}

void* stage(run& r, port to, const message_type& type) { return r.stage(to, type); }
void* stage_round(run& r, port to, const message_type& type) { return r.stage_round(to, type); }

void run::stage_become(closure& next) noexcept {
  if (closure* replaced = journal_.become(&next)) actor::end_closure(*replaced, allocation::delete_);
}

port run::reserve(actor::route::kind kind, placement where) {
  cell& c = cells_.take();
  bool placed = false;
  try {
    c.set_where({home(where), engine_->id(), kind});
    placed = true;
    journal_.create({actor::port_of(c), nullptr});
  } catch (...) {
    const std::uint32_t taken = c.where().shard();
    if (placed) {
      engine_->workers().home_is_unused(taken);
      std::erase(blocking_homes_, taken);
    }
    cells_.give(c);
    throw;
  }
  return actor::port_of(c);
}

std::uint32_t run::home(placement where) {
  if (where == placement::parallel || where == placement::ordered) [[likely]]
    return worker_->next_shard();
  if (where == placement::blocking) blocking_homes_.reserve(blocking_homes_.size() + 1);
  const auto kept = engine_->kept_home(where);
  if (!kept) return worker_->next_shard();
  if (where == placement::blocking) blocking_homes_.push_back(*kept);
  return *kept;
}

void run::install(port at, closure& first) {
  if (journal_.install(at, first)) return;
  actor::end_closure(first, allocation::finished);
  throw usage_error(
      "create_group: the function that makes the behaviours called discard, which forgot their addresses");
}

}  // namespace tact::detail
