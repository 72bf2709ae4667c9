#include "actors/sending/router.hpp"

#include <algorithm>
#include <new>

#include "base/blocks.hpp"
#include "tact/detail/front.hpp"

namespace tact::actors {

using mailbox::envelope;

void* router::stage(port to, const message_type& type) {
  run_.look_whether_in_handler();
  if (to <= index_mask) to = or_nobody(to);
  if (run_.sends_apart()) [[unlikely]]
    return stage_apart(to, type, &router::place_for);
  return (new (place_for(to, type.slot_count())) envelope(type, to))->plain_payload();
}

void* router::stage_apart(port to, const message_type& type, finder find_place) {
  mailbox::out_of_line_body& p = mailbox::out_of_line_body::make(run_.context);
  try {
    new ((this->*find_place)(to, 1)) envelope(type, to, p);
    if (run_.watched().tracer() != nullptr) p.number(note_sent(to, type));
  } catch (...) {
    mailbox::out_of_line_body::end(p);
    throw;
  }
  return p.payload;
}

std::uint64_t router::note_sent(port to, const message_type& type) noexcept {
  return run_.watched().tracer()->send({.actor = to, .message = &type, .actor_type = cell_of(to).type()});
}

inline void* router::place_for(port to, unsigned slots) {
  run_.debt().settle(to);
  const mailbox::route r = mailbox::route_of(to);
  if (run_.is_exclusive_here(r)) [[likely]]
    return place_exclusive(r.shard(), slots);
  if (r.is_parallel_in(run_.engine_number())) return place_parallel(r, slots);
  // The actor belongs to another engine; or to none that is left, and then the message becomes a dead letter here.
  return is_current(to) ? journal_.to_aside(slots) : journal_.to_lane(slots);
}

void* router::place_exclusive(std::uint32_t shard, unsigned slots) {
  if (run_.holds(shard)) return journal_.to_lane(slots);
  const std::uint32_t number = run_.workers().mail().outbox_for(shard);
  // An open outbox may hold messages for this shard, which must not be overtaken.
  if (!run_.worker().outboxes().is_open(number) && joins(shard)) return journal_.to_lane(slots);
  return journal_.to_outbox(number, slots);
}

// True: a message for that shard is run from this lane. If there are threads that could take work, a run that sends
// much had better leave most of it where they can. To join a shard the worker looks at all those that it holds. This
// may take longer than most handlers, and is not counted as handling: otherwise handlers would look slow, the shards
// would be separated, and all of them would have to be joined again.
bool router::joins(std::uint32_t shard) noexcept {
  const bool leaves_some = journal_.wrote_to_lane() && !run_.workers().has_one_runner();
  dispatch::worker_context& worker = run_.worker();
  if (leaves_some || !worker.sharing().may_join(run_.at().shard())) return false;
  const auto began = dispatch::cost_meter::clock::now();
  const bool joined = worker.join(shard);
  run_.meter().leave_out_since(began);
  return joined;
}

void* router::place_parallel(mailbox::route r, unsigned slots) {
  // In the lane of a blocking actor the message might wait for hours.
  if (run_.worker().is_blocking()) return journal_.to_outbox(run_.workers().mail().outbox_for(r.shard()), slots);
  if (run_.may_spread()) return place_spread(slots);
  run_.look_at_parallel_no_more();
  return journal_.to_lane(slots);
}

// Places a message that may run anywhere, while a worker sleeps. The first messages of a run are done sooner here than
// on a worker that must be woken; those that come after them go round over the sleeping workers and this one.
void* router::place_spread(unsigned slots) {
  const std::uint64_t before = run_.sleepers().count_message();
  journal_.note_other();
  if (!run_.meter().worth_sharing(before)) return journal_.to_lane(slots);
  const bool is_ones_own = before % (run_.sleepers().count() + 1) == 0;
  const auto sleeper = is_ones_own ? std::nullopt : run_.sleepers().next();
  if (!sleeper) return journal_.to_lane(slots);
  flush_soon_ = true;
  return journal_.to_outbox(run_.workers().mail().outbox_to_worker(*sleeper), slots);
}

void* router::stage_round(port to, const message_type& type) {
  run_.look_whether_in_handler();
  to = or_nobody(to);
  if (!mailbox::route_of(to).is_parallel_in(run_.engine_number())) return detail::stage(run_, to, type);
  if (run_.sends_apart()) [[unlikely]]
    return stage_apart(to, type, &router::place_round);
  return (new (place_round(to, type.slot_count())) envelope(type, to))->plain_payload();
}

void* router::place_round(port to, unsigned slots) {
  run_.debt().settle(to);
  const std::uint32_t next = (run_.at().shard().number + ++sent_round_) % run_.workers().mail().ordinary_shards();
  if (run_.holds(next)) return journal_.to_lane(slots);
  journal_.note_other();
  flush_soon_ = true;
  return journal_.to_outbox(run_.workers().mail().outbox_for(next), slots);
}

// Its mailbox, if that has a limit, has let the message in before.
void* router::stage_in_front(port to, const message_type& type) {
  run_.look_whether_in_handler();
  if (!cell_of(to).where().is_exclusive()) return detail::stage(run_, to, type);
  if (run_.sends_apart()) return stage_apart(to, type, &router::place_in_front);
  return (new (place_in_front(to, type.slot_count())) envelope(type, to))->plain_payload();
}

void* router::stage_effect(port to, const message_type& type) {
  if (!cell_of(to).where().is_exclusive()) return detail::stage(run_, to, type);
  if (run_.sends_apart()) return stage_apart(to, type, &router::place_effect);
  return (new (place_effect(to, type.slot_count())) envelope(type, to))->plain_payload();
}

void* router::place_effect(port, unsigned slots) { return journal_.to_effects(slots); }

void* router::place_in_front(port to, unsigned slots) {
  run_.debt().settle(to);
  return journal_.to_front(slots);
}

void* router::stage_for_core(port to, const message_type& type) {
  if (!is_limited_here(to)) return detail::stage(run_, to, type);
  if (run_.sends_apart()) return stage_apart(to, type, &router::place_let_in);
  return (new (place_let_in(to, type.slot_count())) envelope(type, to))->plain_payload();
}

void* router::place_let_in(port to, unsigned slots) {
  const mailbox::route r = mailbox::route_of(to).without_limit();
  return r.is_exclusive() ? place_exclusive(r.shard(), slots) : place_parallel(r, slots);
}

bool router::is_limited_here(port to) const noexcept {
  const mailbox::route r = mailbox::route_of(or_nobody(to));
  return r.is_limited() && r.engine() == run_.engine_number();
}

void router::forward(envelope& e, const cell& c) noexcept {
  const base::may_use_reserve sure;
  dispatch::worker_context& here = run_.worker();
  e.set_forwarded();
  e.relocate(here.outboxes()
                 .open(run_.workers().mail().outbox_for(c.where().shard()))
                 .queue.reserve(e.slots(), here.chunks()));
  ++run_.counts().now.forwarded;
}

void router::flush() {
  run_.worker().flush();
  note_flushed();
}

// While nothing is known of how long messages take, the first of them may take very long. What any worker may run
// should not lie in a lane then, where no other worker sees it: one that has nothing to do a moment later could take
// it.
bool router::should_show_rest() const noexcept {
  return run_.meter().is_new() && run_.worker().is_worker() && run_.workers().stealing().steals();
}

void router::put_last(mailbox::copy_queue& waiting) noexcept {
  envelope& e = waiting.front();
  if (e.is_forwarded() || e.is_special() || cell_of(e.target()).where().is_exclusive()) return;
  const base::may_use_reserve sure;
  const unsigned slots = e.slots();
  e.relocate(waiting.reserve(slots, run_.worker().chunks()));
  waiting.pop(slots, run_.worker().chunks());
}

// Each of the sleeping workers and this one get an equal part of what is waiting. It takes them from the front of the
// lane, and stops at the first one that belongs to this shard. What should be shown to others and is for no sleeper
// goes to this worker's own office.
void router::share_with_sleepers() {
  mailbox::copy_queue& waiting_here = run_.at().shard().lane;
  const unsigned waiting = mailbox::messages_in_head(waiting_here);
  const unsigned more = waiting_here.has_more_chunks() ? mailbox::chunk::capacity_slots : 0;
  if (waiting == 0 || !run_.meter().worth_sharing(waiting - 1 + more)) return;
  const bool shows_rest = more == 0 && should_show_rest();
  if (shows_rest) put_last(waiting_here);  // this worker runs the first one, and shows those behind it
  const unsigned kept = (waiting + more + run_.sleepers().count()) / (run_.sleepers().count() + 1);
  for (unsigned left = shows_rest ? waiting - 1 : std::min(waiting - 1, waiting + more - kept); left != 0; --left) {
    envelope& e = waiting_here.front();
    if (e.is_forwarded() || e.is_special() || cell_of(e.target()).where().is_exclusive()) break;
    const auto sleeper = run_.sleepers().next();
    if (!sleeper && !shows_rest) break;
    const unsigned to = sleeper.value_or(run_.worker().index());
    const unsigned slots = e.slots();
    try {
      e.relocate(run_.worker()
                     .outboxes()
                     .open(run_.workers().mail().outbox_to_worker(to))
                     .queue.reserve(slots, run_.worker().chunks()));
    } catch (const std::bad_alloc&) {
      // While memory is short this worker handles all of them.
      break;
    }
    waiting_here.pop(slots, run_.worker().chunks());
  }
  run_.worker().flush();
}

}  // namespace tact::actors
