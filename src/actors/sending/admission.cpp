#include "actors/sending/admission.hpp"

#include <new>
#include <utility>

#include "actors/cells/metadata.hpp"
#include "actors/common/this_thread.hpp"
#include "actors/failure/core_messages.hpp"
#include "actors/failure/dead_letters.hpp"
#include "actors/failure/failure_notices.hpp"
#include "actors/pressure/limited_mailbox.hpp"

namespace tact::actors {

using mailbox::envelope;
using mailbox::out_of_line_body;

void admission::unload(envelope& e) noexcept {
  if (e.admissions() != 0) limits_.leave_counters(e);
  if (e.is_out_of_line()) run_.enter_context(e.out_of_line().context);
}

void admission::let_in(envelope& e) noexcept {
  using space = admission_counter<sync::real>;
  limited_mailbox& m = mailbox_of(cell_of(e.target()));
  const port to = e.target();
  auto entered = space::entry::entered;
  if (e.type().role == message_type::ordinary && !is_own_word(to)) {
    const auto policy = m.policy();
    const bool insists = policy == when_full::hold_back || policy == when_full::drop_oldest;
    entered = m.space.enter(to & ~index_mask, e.type().bytes(), insists);
    if (entered == space::entry::full) {
      limits_.count_refused(to);
      return core_sender_.lose(e, failure_reason::mailbox_full);
    }
    if (entered == space::entry::entered && m.keeps()) return keep(m, e, envelope::in_mailbox);
    if (entered == space::entry::entered) e.admit(envelope::in_mailbox);
  } else if (m.keeps_end(e.type())) {
    return keep(m, e, 0);
  }
  // The actor may have ended meanwhile; then the message is buried when it is dispatched.
  e.relocate(router_.place_let_in(to, e.slots()));
}

void admission::keep(limited_mailbox& m, envelope& e, std::uint64_t admissions) noexcept {
  const bool was_out_of_line = e.is_out_of_line();
  out_of_line_body& p = was_out_of_line ? e.out_of_line() : out_of_line_body::make(nullptr);
  p.admit(admissions);
  if (!was_out_of_line) e.give_payload(p.payload);
  const kept_messages::kept message{e.target(), &e.type(), &p};
  const std::int64_t rank = m.kept.rank_of(message);
  // The message is counted before it is added: a token that is under way already may find it at once, on any worker.
  ++run_.sent_before;
  run_.counts().publish(run_.sent());
  for (;;) {
    kept_messages::kept dropped;
    const auto how = m.kept.add(message, rank, dropped);
    if (dropped.to != 0) {
      limits_.count_refused(dropped.to);
      core_sender_.lose(dropped, failure_reason::mailbox_full);
    }
    switch (how) {
      case kept_messages::outcome::made_room:
        continue;
      case kept_messages::outcome::too_low:
        limits_.count_refused(message.to);
        return core_sender_.lose(message, failure_reason::mailbox_full);
      case kept_messages::outcome::closed:
        return core_sender_.lose(message, why_gone(message.to));
      case kept_messages::outcome::added:
        return;
      case kept_messages::outcome::with_token:
        new (router_.place_let_in(message.to, 1)) envelope(token_message, message.to);
        --run_.sent_before;  // the token itself is no message
        return;
    }
  }
}

bool admission::keeps_ends(port p) const noexcept {
  return router_.is_limited_here(p) && mailbox_of(cell_of(p)).keeps();
}

void admission::close_mailbox(cell& c) noexcept {
  const base::may_use_reserve sure;
  limited_mailbox& m = mailbox_of(c);
  const this_thread::callback outside;
  if (m.space.close()) limits_.tell_of_room();
  m.kept.close();
  while (const auto left = m.kept.take_left()) core_sender_.lose(*left, failure_reason::target_ended);
}

void admission::tear_up(cell& c) noexcept {
  if (router_.is_limited_here(port_of(c))) close_mailbox(c);
  actors::tear_up(c);
}

bool admission::redeem(envelope& token) noexcept {
  return replace(token, mailbox_of(cell_of(token.target())).kept.redeem(token.target()));
}

bool admission::redeem_end(envelope& token) noexcept {
  return replace(token, mailbox_of(cell_of(token.target())).kept.redeem_end(token.target()));
}

bool admission::replace(envelope& token, const std::optional<kept_messages::kept>& first) noexcept {
  if (!first) return false;
  new (&token) envelope(*first->type, first->to, *first->body);
  return true;
}

}  // namespace tact::actors
