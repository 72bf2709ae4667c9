// Messages from handlers to mailboxes that have a limit, and how messages leave these: docs/protocols/pressure.md.
#include <new>
#include <utility>

#include "actors/dead_letters.hpp"
#include "actors/failures.hpp"
#include "actors/limited_mailbox.hpp"
#include "actors/papers.hpp"
#include "actors/this_thread.hpp"
#include "actors/transactor.hpp"

namespace tact::detail {

using actors::cell;
using actors::cell_of;
using actors::kept_messages;
using actors::limited_mailbox;
using mailbox::envelope;
using mailbox::parcel;

// Does the port belong to an actor of this engine whose mailbox has a limit?
bool transactor::is_counted_here(port to) const noexcept {
  const actors::route r = actors::route_of(actors::or_nobody(to));
  return r.is_counted() && r.engine() == engine_->id();
}

// The place in a lane or an outbox for a message that is let in.
void* transactor::place_let_in(port to, unsigned slots) {
  const actors::route r = actors::route_of(to).uncounted();
  return r.is_exclusive() ? stage_exclusive(r.shard(), slots) : stage_parallel(r, slots);
}

// Stages what the core sends for itself: such a message is not counted, and need not wait for the commit to be let in.
void* transactor::stage_for_core(port to, const message_type& type) {
  if (!is_counted_here(to)) return stage(*this, to, type);
  if (context != nullptr) return stage_in_context(to, type, &transactor::place_let_in);
  return (new (place_let_in(to, type.slot_count())) envelope(type, to))->plain_payload();
}

// Called when the handler of this message begins: the message waits in its mailbox no longer.
void transactor::unload(envelope& e) noexcept {
  if (e.marks() != 0) engine_->leave_rooms(e);
  if (e.has_parcel()) enter_context(e.its_parcel().context);
}

// Lets in a message that a run has staged, as the run commits. A handler never waits for room: a message that finds
// none is let in all the same, or is lost, as the policy says.
void transactor::let_in(envelope& e) noexcept {
  using space = actors::room<sync::real>;
  limited_mailbox& m = actors::mailbox_of(cell_of(e.target()));
  const port to = e.target();
  auto entered = space::entry::entered;
  if (e.type().role == message_type::ordinary) {
    const auto policy = m.policy();
    const bool insists = policy == when_full::hold_back || policy == when_full::drop_oldest;
    entered = m.space.enter(to & ~index_mask, e.type().bytes(), insists);
    if (entered == space::entry::full) {
      engine_->count_refused(to);
      return lose(e, failure_reason::mailbox_full);
    }
    if (entered == space::entry::entered && policy == when_full::drop_oldest) return keep(m, e);
    if (entered == space::entry::entered) e.mark(envelope::in_mailbox);
  }
  // The actor may have ended meanwhile; then the message is buried when it is dispatched.
  e.relocate(place_let_in(to, e.slots()));
}

// The message was sent, and no actor will handle it. It is counted by the engine, like messages that threads outside
// bury, and not in this worker's tally, because no worker has taken it from a lane.
void transactor::lose(envelope& e, failure_reason reason) noexcept {
  engine_->count_lost(true);
  engine_->bury(e.target(), e.type(), e.payload(), reason,
                [this](port customer, failure&& f) { tell(customer, std::move(f)); });
  e.end_parcel();
}

void transactor::keep(limited_mailbox& m, envelope& e) noexcept {
  const bool has_parcel = e.has_parcel();
  parcel& p = has_parcel ? e.its_parcel() : parcel::make(nullptr);
  p.marks = envelope::in_mailbox;
  if (!has_parcel) e.give_payload(p.payload);
  const kept_messages::kept message{e.target(), &e.type(), &p};
  // The message is counted before it is added: a token that is under way already may find it at once, on any worker.
  ++sent;
  publish_counters(false);
  for (;;) {
    kept_messages::kept dropped;
    const auto how = m.kept.add(message, dropped);
    if (dropped.to != 0) {
      engine_->count_refused(dropped.to);
      lose(dropped, failure_reason::mailbox_full);
    }
    switch (how) {
      case kept_messages::outcome::made_room:
        continue;
      case kept_messages::outcome::closed:
        return lose(message, actors::why_gone(message.to));
      case kept_messages::outcome::added:
        return;
      case kept_messages::outcome::with_token:
        new (place_let_in(message.to, 1)) envelope(actors::token_message, message.to);
        --sent;  // the token itself is no message
        return;
    }
  }
}

// The same for a message that has been counted as sent already.
void transactor::lose(const kept_messages::kept& k, failure_reason reason) noexcept {
  engine_->leave_rooms(k.to, k.body->marks, k.type->bytes());
  engine_->count_lost(false);
  engine_->bury(k.to, *k.type, k.body->payload, reason,
                [this](port customer, failure&& f) { tell(customer, std::move(f)); });
  parcel::end(*k.body);
}

void transactor::close_mailbox(cell& c) noexcept {
  const base::may_use_reserve sure;
  limited_mailbox& m = actors::mailbox_of(c);
  const actors::this_thread::callback outside;
  if (m.space.close()) engine_->tell_of_room();
  m.kept.close();
  while (const auto left = m.kept.take_left()) lose(*left, failure_reason::target_ended);
}

// The actor was never installed: its papers and its mailbox are given up.
void transactor::tear_up(cell& c) noexcept {
  if (is_counted_here(actors::port_of(c))) close_mailbox(c);
  actors::tear_up(c);
}

// Puts the message for which the token stands in the token's place. False: the token stands for none any more.
bool transactor::redeem(envelope& token) noexcept {
  const auto oldest = actors::mailbox_of(cell_of(token.target())).kept.redeem(token.target());
  if (!oldest) return false;
  new (&token) envelope(*oldest->type, oldest->to, *oldest->body);
  return true;
}

}  // namespace tact::detail
