// How a handler stages its effects: sends, becomes, creations.
#include <memory>
#include <new>
#include <optional>
#include <utility>

#include "actors/failures.hpp"
#include "actors/papers.hpp"
#include "actors/sites.hpp"
#include "actors/transactor.hpp"
#include "tact/detail/type_name.hpp"

namespace tact::detail {

using actors::cell;
using actors::cell_of;
using mailbox::envelope;

// While no lane is run, every send comes here, because all of them are looked at then.
inline void transactor::look_whether_in_handler() const {
  if (!runs_lane_) [[unlikely]]
    throw usage_error(
        "tact::self, or a tact::transaction, was kept, and is used when its handler has returned: send with `ref | "
        "message` or engine.send");
}

void* transactor::stage_elsewhere(port to, const message_type& type) {
  look_whether_in_handler();
  if (to <= index_mask) to = actors::or_nobody(to);
  if (context != nullptr) [[unlikely]]
    return stage_in_context(to, type, &transactor::place_for);
  return (new (place_for(to, type.slot_count())) envelope(type, to))->plain_payload();
}

void* transactor::stage_in_context(port to, const message_type& type, void* (transactor::*find_place)(port, unsigned)) {
  mailbox::parcel& p = mailbox::parcel::make(context);
  try {
    new ((this->*find_place)(to, 1)) envelope(type, to, p);
  } catch (...) {
    mailbox::parcel::end(p);
    throw;
  }
  return p.payload;
}

inline void* transactor::place_for(port to, unsigned slots) {
  if (debt_ != 0 && same_actor(to, debt_)) debt_ = 0;
  const actors::route r = actors::route_of(to);
  if (r.bits() - exclusive_base_ < shards) [[likely]]
    return stage_exclusive(r.shard(), slots);
  if (r.is_parallel_in(engine_->id())) return stage_parallel(r, slots);
  // The actor belongs to another engine; or to none that is left, and then the message becomes a dead letter here.
  return actors::is_current(to) ? journal_.to_abroad(slots) : journal_.to_lane(slots);
}

void* transactor::stage_exclusive(std::uint32_t shard, unsigned slots) {
  if (holds(shard)) return journal_.to_lane(slots);
  const std::uint32_t number = outbox_for(shard);
  mailbox::outbox_set::outbox& box = worker_->outboxes().at(number);
  // An open outbox may hold messages for this shard, which must not be overtaken.
  if (box.open) [[likely]]
    return journal_.to_outbox(box, slots);
  return joins(shard) ? journal_.to_lane(slots) : journal_.to_outbox(number, slots);
}

// True: a message for that shard is run from this lane. If there are threads that could take work, a run that sends
// much had better leave most of it where they can.
bool transactor::joins(std::uint32_t shard) noexcept {
  const bool leaves_some = lane->write != mark && !engine_->workers().has_one_runner();
  return !leaves_some && may_join(*shard_) && worker_->join(shard);
}

void* transactor::stage_parallel(actors::route r, unsigned slots) {
  // In the lane of a blocking actor the message might wait for hours.
  if (worker_->is_blocking()) return journal_.to_outbox(outbox_for(r.shard()), slots);
  if (idle_->any()) return stage_spread(slots);
  if (!looks_at_all_) keep_all();
  return journal_.to_lane(slots);
}

// Places a message that may run anywhere, while a worker sleeps. The first messages of a run are done sooner here than
// on a worker that must be woken; those that come after them go round over the sleeping workers and this one.
void* transactor::stage_spread(unsigned slots) {
  const std::uint64_t before = sent_in_run_++;
  journal_.note_other();
  if (!pace_.worth_sharing(before)) return journal_.to_lane(slots);
  const auto turn = static_cast<unsigned>(before % (idle_->count() + 1));
  const auto helper = turn == 0 ? std::nullopt : idle_->next_after(last_helper_);
  if (!helper || *helper == worker_->index()) return journal_.to_lane(slots);
  last_helper_ = *helper;
  flush_soon_ = true;
  return journal_.to_outbox(engine_->workers().outbox_to_worker(*helper), slots);
}

void* transactor::stage_round(port to, const message_type& type) {
  look_whether_in_handler();
  to = actors::or_nobody(to);
  if (!actors::route_of(to).is_parallel_in(engine_->id())) return stage(*this, to, type);
  if (context != nullptr) [[unlikely]]
    return stage_in_context(to, type, &transactor::place_round);
  return (new (place_round(to, type.slot_count())) envelope(type, to))->plain_payload();
}

void* transactor::place_round(port to, unsigned slots) {
  if (debt_ != 0 && same_actor(to, debt_)) debt_ = 0;
  const std::uint32_t next = (shard_->number + ++sent_round_) % engine_->workers().ordinary_shards();
  if (holds(next)) return journal_.to_lane(slots);
  flush_soon_ = true;
  return journal_.to_outbox(outbox_for(next), slots);
}

void* stage_elsewhere(run& r, port to, const message_type& type) { return transactor::of(r).stage_elsewhere(to, type); }
void* stage_round(run& r, port to, const message_type& type) { return transactor::of(r).stage_round(to, type); }

void stage_become(run& r, closure& next) { transactor::of(r).stage_become(next); }
void stage_stop(run& r, ending how) noexcept { transactor::of(r).stage_stop(how); }
void stage_unchanged(run& r) noexcept { transactor::of(r).stage_unchanged(); }
port reserve(run& r, placement where) {
  return transactor::of(r).create(nullptr, actors::kind_of(actor_kind::transactional, where), where);
}
port create(run& r, closure& first, placement where) {
  return transactor::of(r).create(&first, actors::kind_of(first.type->kind, where), where);
}

port reserve(run& r, particulars&& about) {
  return transactor::of(r).create(nullptr, actor_kind::transactional, std::move(about));
}
port create(run& r, closure& first, particulars&& about) {
  return transactor::of(r).create(&first, first.type->kind, std::move(about));
}

void pass_on(run& r, port to, const void* message, std::string_view name) {
  transactor::of(r).pass_on(to, message, name);
}

// Stages a send whose envelope has no payload of its own: an abort cuts the envelope, and the message stays where it
// is. The message also keeps its own context, whatever the context of the run is.
void transactor::pass_on(port to, const void* message, std::string_view name) {
  envelope& e = handled();
  // The address alone does not identify the message, because its first member has the same one. Names do: they are
  // constants, one for each type. The type of a failure notice is the core's own, with a name of its own.
  const bool is_notice = e.type().role == message_type::failure_notice && name == type_name<failure>;
  if (e.message() != message || (e.type().name.data() != name.data() && !is_notice)) {
    throw usage_error(
        "pass_on: this is not the message that is handled but a copy, or something else: let the handler take it by "
        "reference");
  }
  if (passed_on_ != nullptr) {
    throw usage_error("pass_on: the message goes on to another actor already; send a copy, or a ref to who keeps it");
  }
  to = actors::or_nobody(to);
  passed_on_ = &e.promise(place_for(to, e.slots()), to);
  journal_.note_other();
}

inline void transactor::stage_become(closure& next) {
  if (resumed_ != nullptr && !resumed_->is_exclusive()) [[unlikely]] {
    actors::end_closure(next, allocation::finished);
    throw usage_error(
        "self.become: not behind a self.ask, because the actor has gone on meanwhile and may have become something "
        "else; let the answer come in a message, or create the actor with tact::ordered");
  }
  if (closure* replaced = journal_.become(&next)) [[unlikely]]
    actors::end_closure(*replaced, allocation::delete_);
}

inline void transactor::stage_unchanged() noexcept {
  if (closure* withdrawn = journal_.stay()) actors::end_closure(*withdrawn, allocation::finished);
}

inline port transactor::create(closure* first, actors::route::kind kind, placement where, const loop_place& loop) {
  if (where >= apart_from_ || journal_.is_full() || cells_.empty()) [[unlikely]]
    return create_other(first, kind, where, loop);
  return create_at(worker_->next_shard(journal_.creations().size()), first, kind);
}

port transactor::create(closure* first, actor_kind kind, particulars&& about) {
  const placement where = about.where;
  const creation_site made_at = about.made_at;
  const bool in_scope = about.scope != nullptr;
  const mailbox_limit limit = about.limit;
  const loop_place about_loop = about.loop;
  std::unique_ptr<actors::papers> papers;
  try {
    papers = actors::draw_up(std::move(about));
    if (in_scope) made_in_scopes_.prepare_push();  // behind the creation nothing may throw: the scope would forget it
    if (limit) {
      if (cells_.empty()) cells_.refill();
      actors::prepare_mailbox(cells_.next());
    }
  } catch (...) {
    if (first != nullptr) actors::end_closure(*first, allocation::finished);
    throw;
  }
  const port at = create(first, actors::kind_of(kind, where), where, about_loop);
  if (engine_->options().report_alive) actors::note_site(cell_of(at), made_at);
  if (papers != nullptr) actors::file(cell_of(at), std::move(papers));
  if (limit) actors::open_mailbox(cell_of(at), limit);
  if (in_scope) {
    journal_.note_other();
    made_in_scopes_.push_back(at);
  }
  return at;
}

// Creates an actor where that may throw: the journal is full, there is no free cell, or the placement is special.
port transactor::create_other(closure* first, actors::route::kind kind, placement where, const loop_place& loop) {
  try {
    if (journal_.is_full()) journal_.make_room_for_creation();
    if (cells_.empty()) cells_.refill();
    if (where >= apart_from_) return create_apart(first, kind, where, loop);
    return create_at(worker_->next_shard(journal_.creations().size()), first, kind);
  } catch (...) {
    if (first != nullptr) actors::end_closure(*first, allocation::finished);
    throw;
  }
}

port transactor::create_coming_home(closure* first) noexcept {
  cell& c = cells_.take();
  const actors::route r(shard_->number, engine_->id(), actors::route::kind::exclusive);
  c.set_where(r.for_once());
  c.send_by(r);
  journal_.create({actors::port_of(c), first});
  return actors::port_of(c);
}

port transactor::create_apart(closure* first, actors::route::kind kind, placement where, const loop_place& loop) {
  // The answer to a question that is asked on a loop's thread is handled on that thread.
  if (kind == actors::route::kind::one_shot) return create_coming_home(first);
  if (where == placement::blocking) blocking_homes_.reserve(blocking_homes_.size() + 1);
  const auto home = engine_->kept_home(where, loop);
  if (home && where == placement::blocking) {
    blocking_homes_.push_back(*home);
    journal_.note_other();
  }
  const port made = create_at(home ? *home : worker_->next_shard(journal_.creations().size()), first, kind);
  if (where == placement::returning) cell_of(made).set_where(cell_of(made).where().which_returns_at_once());
  return made;
}

inline port transactor::create_at(std::uint32_t home, closure* first, actors::route::kind kind) noexcept {
  cell& c = cells_.take();
  c.set_where({home, engine_->id(), kind});
  journal_.create({actors::port_of(c), first});
  return actors::port_of(c);
}

void transactor::install(port at, closure& first) {
  if (journal_.install(at, first)) return;
  actors::end_closure(first, allocation::finished);
  throw usage_error(
      "create_group: the function that makes the behaviours called discard, which forgot their addresses");
}

// -- what was staged, and has been committed, is published

void transactor::flush() {
  worker_->flush();
  flush_soon_ = false;
}

}  // namespace tact::detail
