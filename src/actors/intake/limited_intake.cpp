// How messages from outside enter mailboxes that have a limit, and how threads wait for room.
// Protocol page: docs/protocols/pressure.md.
#include "actors/cells/metadata.hpp"
#include "actors/failure/core_messages.hpp"
#include "actors/failure/verdicts.hpp"
#include "actors/intake/intake.hpp"
#include "actors/intake/lent_payload.hpp"
#include "actors/pressure/limited_mailbox.hpp"
#include "base/reserve.hpp"
#include "sync/thread_state.hpp"

namespace tact::actors {

using mailbox::envelope;
using mailbox::out_of_line_body;

namespace {

using room = admission_counter<sync::real>;
constexpr auto of_engine = limits::of_engine;

// A thread of an engine never waits for room, whatever it runs, because such threads make the room. A thread that wakes
// an event loop does not wait either, because it holds up a sender; nor does one that has a tact::loop.
bool is_outside() noexcept {
  const auto& me = sync::thread_state::of_this_thread();
  return me.worker == nullptr && !me.never_waits;
}
bool may_wait() noexcept {
  const auto& me = sync::thread_state::of_this_thread();
  return is_outside() && !me.in_wake && me.loops == nullptr;
}

}  // namespace

// The rooms that a message from outside must enter before it is sent.
struct intake::entrance {
  const actors::phase& phase;
  actors::limits& limits;
  const port to;
  const std::uint64_t bytes;
  limited_mailbox* const mailbox;  // null: the mailbox has no limit
  const bool is_brought;           // a thread outside brings it, and the engine limits those
  const bool insists;              // enters a full room that holds back: the thread cannot wait
  reception how = reception::full;

  // Enters all its rooms or none. True: what becomes of the message is decided, see `how`. False: it may wait for room.
  [[nodiscard]] bool try_enter() noexcept {
    if (phase.is_closed()) return decide(reception::refused);
    switch (enter()) {
      case room::entry::closed:
        return decide(reception::nowhere);
      case room::entry::full:
        return is_full(mailbox->policy());
      case room::entry::other_full:
        return is_full(limits.outside().when_full);
      case room::entry::entered:
        break;
    }
    return decide(reception::taken);
  }
  [[nodiscard]] std::uint64_t admissions() const noexcept {
    return (mailbox != nullptr ? envelope::in_mailbox : 0) | (is_brought ? envelope::brought : 0);
  }

 private:
  room::entry enter() noexcept {
    const bool insists_there = insists && limits.outside().when_full == when_full::hold_back;
    if (mailbox == nullptr) {
      const bool entered = limits.brought().enter(of_engine, bytes, insists_there) == room::entry::entered;
      return entered ? room::entry::entered : room::entry::other_full;
    }
    const port whose = to & ~index_mask;
    const auto policy = mailbox->policy();
    const bool always = policy == when_full::drop_oldest || (insists && policy == when_full::hold_back);
    if (!is_brought) return mailbox->space.enter(whose, bytes, always);
    return mailbox->space.enter_with(limits.brought(), of_engine, whose, bytes, always, insists_there);
  }
  bool decide(reception r) noexcept {
    how = r;
    return true;
  }
  bool is_full(when_full policy) noexcept {
    how = policy == when_full::drop_newest ? reception::dropped : reception::full;
    return policy != when_full::hold_back;
  }
};

reception intake::receive_limited(port to, const message_type& type, void* payload, shard_choice shard,
                                  const patience& p) {
  limited_mailbox* const mailbox = mailbox::route_of(to).is_limited() ? &mailbox_of(cell_of(to)) : nullptr;
  if (mailbox != nullptr && mailbox->keeps_end(type)) return receive_end(*mailbox, to, type, payload);
  const bool is_brought = limits_.outside() && is_outside();
  const bool has_no_limit = mailbox == nullptr && !is_brought;
  if (type.role != message_type::ordinary || has_no_limit || is_own_word(to))
    return receive_unlimited(to, type, payload, shard);
  entrance e{phase_, limits_, to, type.bytes(), mailbox, is_brought, !may_wait() && !p.learns};
  if (!e.try_enter() && p.waits && may_wait()) wait_for_room(e, p.until);
  if (e.how == reception::taken) return put_admitted(e, type, payload, shard);
  if (e.how == reception::refused) return refuse(type);
  if (e.how == reception::nowhere) counted_.sent.fetch_add(1);
  return e.how;
}

reception intake::receive_unlimited(port to, const message_type& type, void* payload, shard_choice shard) {
  const context_node* const context = sync::thread_state::of_this_thread().context;
  detail::trace_sink* const sink = recorded_.active_for_send();
  if (context != nullptr || sink != nullptr) return receive_apart(context, sink, to, type, payload, shard);
  return put_apart(to, type, payload, shard, nullptr) ? reception::taken : refuse(type);
}

// The order to end an actor whose mailbox keeps its messages: it is counted nowhere.
reception intake::receive_end(limited_mailbox& m, port to, const message_type& type, void* payload) {
  if (phase_.is_closed()) return refuse(type);
  out_of_line_body& p = out_of_line_body::make(sync::thread_state::of_this_thread().context);
  lent_payload message(p, type, payload);
  const reception how = keep(m, {to, &type, &p});
  if (how == reception::taken) message.is_taken();
  return how;
}

void intake::wait_for_room(entrance& e, deadline until) noexcept {
  const room::waiter here(e.mailbox == nullptr ? nullptr : &e.mailbox->space);
  const room::waiter there(e.is_brought ? &limits_.brought() : nullptr);
  bool decided = false;
  const auto look = [&] { return decided || (decided = e.try_enter()); };
  const bool in_time =
      workers_.pump() != nullptr ? workers_.pump()->wait(look, until) : room::wait(limits_.room_made(), look, until);
  if (!in_time && until) e.how = reception::late;
}

// REQUIRES: the message has entered its rooms. If it is not taken after all, it leaves them, and its payload lies where
// it lay before.
reception intake::put_admitted(const entrance& e, const message_type& type, void* payload, shard_choice shard) {
  const auto leave = [&] { limits_.leave_counters(e.to, e.admissions(), e.bytes); };
  try {
    out_of_line_body& p = out_of_line_body::make(sync::thread_state::of_this_thread().context, e.admissions());
    note_sent(recorded_.active_for_send(), e.to, type, p);
    lent_payload message(p, type, payload);
    const reception how = put_out_of_line(e, type, p, shard);
    how == reception::taken ? message.is_taken() : leave();
    return how;
  } catch (...) {
    leave();
    throw;
  }
}

reception intake::put_out_of_line(const entrance& e, const message_type& type, out_of_line_body& p,
                                  shard_choice shard) {
  if (e.mailbox != nullptr && e.mailbox->keeps()) return keep(*e.mailbox, {e.to, &type, &p});
  return put_apart(e.to, type, p.payload, shard, &p) ? reception::taken : refuse(type);
}

// Adds a message to a mailbox that keeps its messages itself. The message is counted as sent before, because a token
// that is under way already may find it at once.
reception intake::keep(limited_mailbox& m, const kept_messages::kept& message) {
  using outcome = kept_messages::outcome;
  const std::int64_t rank = m.kept.rank_of(message);
  const auto is_not_sent = [this] {
    counted_.sent.fetch_sub(1);
    workers_.quiet_event().notify();
  };
  counted_.sent.fetch_add(1);
  for (;;) {
    kept_messages::kept dropped;
    outcome how;
    try {
      how = m.kept.add(message, rank, dropped);
    } catch (...) {
      is_not_sent();
      throw;
    }
    if (dropped.to != 0) {
      m.space.count_refused();
      limits_.count_dropped();
      burial_.bury(dropped, failure_reason::mailbox_full);
    }
    if (how == outcome::made_room) continue;
    if (how == outcome::closed) return reception::nowhere;
    if (how == outcome::too_low) {
      is_not_sent();
      return reception::dropped;
    }
    if (how == outcome::with_token) send_token(m, message.to);
    return reception::taken;
  }
}

void intake::send_token(limited_mailbox& m, port to) noexcept {
  const base::may_use_reserve sure;
  std::uint64_t nothing[2] = {};  // an inbox copies so many bytes at once
  if (put_apart(to, token_message, nothing, shard_choice::suits, nullptr)) {
    // The inbox has counted the token as sent, but it is no message: this count makes up for that.
    counted_.tokens.fetch_add(1);
    workers_.quiet_event().notify();
  } else if (const auto left = m.kept.redeem(to)) {
    // The engine has ended meanwhile, and has taken no token. So a message is taken out here.
    burial_.bury(*left, failure_reason::engine_ended);
  }
}

}  // namespace tact::actors
