#include "actors/intake/intake.hpp"

#include "actors/failure/core_messages.hpp"
#include "actors/failure/dead_letters.hpp"
#include "actors/failure/end_notices.hpp"
#include "actors/failure/failure_notices.hpp"
#include "actors/intake/lent_payload.hpp"
#include "base/reserve.hpp"
#include "sync/system.hpp"
#include "sync/thread_state.hpp"

namespace tact::actors {

[[gnu::always_inline]] inline bool intake::put_in(port to, const message_type& type, void* payload, shard_choice choice,
                                                  mailbox::out_of_line_body* apart) {
  const mailbox::route r = mailbox::route_of(to);
  if (!r.is_exclusive() && choice == shard_choice::suits)
    return workers_.posting().post_anywhere(type, to, payload, apart);
  const std::uint32_t number = r.is_exclusive() ? r.shard() : workers_.posting().next_shard_of_all();
  return workers_.posting().post(number, type, to, payload, apart);
}
bool intake::put_apart(port to, const message_type& type, void* payload, shard_choice shard,
                       mailbox::out_of_line_body* apart) {
  return put_in(to, type, payload, shard, apart);
}

// Inlined into its callers, because a thread outside pays for each instruction when it sends.
[[gnu::always_inline]] inline reception intake::receive(port to, const message_type& type, void* payload,
                                                        shard_choice shard, const patience& p) {
  to = or_nobody(to);
  if (sync::director* const s = sync::director::current()) [[unlikely]] {
    s->may_switch();
    const void* const message = type.indirect ? *static_cast<void* const*>(payload) : payload;
    s->note(sync::event::sent, to & ~index_mask, type_name_of(to), {type.name, type.key, message});
  }
  if (!is_current(to)) [[unlikely]] {
    if (phase_.is_closed()) return refuse(type);
    counted_.sent.fetch_add(1);
    return reception::nowhere;
  }
  detail::trace_sink* sink = nullptr;
  if (limits_.need_look(mailbox::route_of(to))) [[unlikely]] {
    if (limits_.concern(mailbox::route_of(to))) return receive_limited(to, type, payload, shard, p);
    sink = recorded_.active_for_send();
  }
  const context_node* const context = sync::thread_state::of_this_thread().context;
  if (context != nullptr || sink != nullptr) [[unlikely]]
    return receive_apart(context, sink, to, type, payload, shard);
  return put_in(to, type, payload, shard, nullptr) ? reception::taken : refuse(type);
}

// What a handler sends past its transaction comes of the message that it handles.
void intake::note_sent(detail::trace_sink* sink, port to, const message_type& type,
                       mailbox::out_of_line_body& p) noexcept {
  if (sink == nullptr) return;
  p.number(sink->send(to, type, cell_of(to).type(), sync::thread_state::of_this_thread().recorded));
}

// If the message is refused, its payload lies where it lay before.
reception intake::receive_apart(const context_node* c, detail::trace_sink* sink, port to, const message_type& type,
                                void* payload, shard_choice shard) {
  mailbox::out_of_line_body& p = mailbox::out_of_line_body::make(c);
  note_sent(sink, to, type, p);
  lent_payload message(p, type, payload);
  if (!put_in(to, type, p.payload, shard, &p)) return refuse(type);
  message.is_taken();
  return reception::taken;
}

namespace {

void end_unsent(const message_type& type, void* payload) noexcept {
  if (type.destroy != nullptr) type.destroy(payload, false);
}

}  // namespace

void intake::post(port to, const message_type& type, void* payload, shard_choice shard) {
  reception how;
  try {
    how = receive(to, type, payload, shard, {});
  } catch (...) {
    end_unsent(type, payload);
    throw;
  }
  if (how != reception::taken) bury_received(how, or_nobody(to), type, payload);
}

send_result intake::try_post(port to, const message_type& type, void* payload, const patience& p) {
  to = or_nobody(to);
  reception how;
  try {
    how = receive(to, type, payload, shard_choice::suits, p);
  } catch (...) {
    end_unsent(type, payload);
    throw;
  }
  if (how == reception::taken) return send_result::sent;
  if (how == reception::late || (how == reception::full && p.learns)) return send_result::full;
  const failure_reason why = how == reception::nowhere ? why_gone(to) : failure_reason::engine_ended;
  bury_received(how, to, type, payload);
  if (how != reception::nowhere && how != reception::refused) return send_result::dropped;
  return why == failure_reason::engine_ended ? send_result::engine_ended : send_result::target_ended;
}

reception intake::receive_timed(port to, const message_type& type, void* payload) noexcept {
  const base::may_use_reserve sure;
  to = or_nobody(to);
  const bool is_elsewhere = cell_of(to).where().engine() != host_.identity.number() && is_current(to);
  return is_elsewhere ? reception::elsewhere : receive(to, type, payload, shard_choice::suits, {});
}

// The engine has ended. The message is counted apart: the end waits for quiet, and must not wait for threads that go on
// sending.
reception intake::refuse(const message_type& type) noexcept {
  if (type.role == message_type::ordinary) workers_.look_whether_left_behind("sending a message");
  if (!is_order(type)) counted_.late.fetch_add(1);
  return reception::refused;
}

void intake::bury_received(reception how, port to, const message_type& type, void* payload) noexcept {
  const base::may_use_reserve sure;
  const hosted here(host_);  // the message may own the engine, and end it when it is buried
  if (how == reception::nowhere) return burial_.bury_outside(to, type, payload, why_gone(to));
  if (how == reception::refused) return burial_.bury_unhandled(to, type, payload, failure_reason::engine_ended);
  counted_.sent.fetch_add(1);
  limits_.count_refused(to);
  burial_.bury_outside(to, type, payload, failure_reason::mailbox_full);
}

void intake::bury_timed(reception how, port to, const message_type& type, void* payload) noexcept {
  to = or_nobody(to);
  how == reception::elsewhere ? send(to, type, payload) : bury_received(how, to, type, payload);
}

}  // namespace tact::actors
