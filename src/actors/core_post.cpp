// How messages come in from outside, and what becomes of messages that no handler will get.
#include <utility>

#include "actors/core.hpp"
#include "actors/failures.hpp"
#include "actors/notices.hpp"
#include "actors/parcelled.hpp"
#include "actors/stay.hpp"
#include "base/reserve.hpp"
#include "sync/system.hpp"
#include "sync/thread_state.hpp"

namespace tact::detail {

using actors::cell_of;

[[gnu::always_inline]] inline bool core::put_in(port to, const message_type& type, void* payload, bool round,
                                                mailbox::parcel* apart) {
  const actors::route r = actors::route_of(to);
  if (!r.is_exclusive() && !round) return dispatcher_.post_anywhere(type, to, payload, apart);
  const std::uint32_t shard = r.is_exclusive() ? r.shard() : dispatcher_.next_shard_round();
  return dispatcher_.post(shard, type, to, payload, apart);
}
bool core::put_apart(port to, const message_type& type, void* payload, bool round, mailbox::parcel* apart) {
  return put_in(to, type, payload, round, apart);
}

// Inlined into its callers, because a thread outside pays for each instruction when it sends.
[[gnu::always_inline]] inline reception core::receive(port to, const message_type& type, void* payload, bool round,
                                                      const patience& p) {
  to = actors::or_nobody(to);
  if (sync::system* const s = sync::system::current()) [[unlikely]] {
    s->may_switch();
    s->note(sync::event::sent, to & ~index_mask, actors::type_name_of(to), type.name);
  }
  if (!actors::is_current(to)) [[unlikely]] {
    if (closed_.load()) return refuse(type);
    outside_.sent.fetch_add(1);
    return reception::nowhere;
  }
  if (actors::route_of(to).bits() >= looked_at_from_) [[unlikely]]
    return receive_limited(to, type, payload, round, p);
  if (const context_node* c = sync::thread_state::of_this_thread().context) [[unlikely]]
    return receive_in_context(*c, to, type, payload, round);
  return put_in(to, type, payload, round, nullptr) ? reception::taken : refuse(type);
}

// If the message is refused, its payload lies where it lay before.
reception core::receive_in_context(const context_node& c, port to, const message_type& type, void* payload,
                                   bool round) {
  mailbox::parcel& p = mailbox::parcel::make(&c);
  actors::parcelled message(p, type, payload);
  if (!put_in(to, type, p.payload, round, &p)) return refuse(type);
  message.is_taken();
  return reception::taken;
}

namespace {

void end_unsent(const message_type& type, void* payload) noexcept {
  if (type.destroy != nullptr) type.destroy(payload, false);
}

}  // namespace

void core::post(port to, const message_type& type, void* payload, bool round) {
  reception how;
  try {
    how = receive(to, type, payload, round, {});
  } catch (...) {
    end_unsent(type, payload);
    throw;
  }
  if (how != reception::taken) bury_received(how, actors::or_nobody(to), type, payload);
}

send_result core::try_post(port to, const message_type& type, void* payload, const patience& p) {
  to = actors::or_nobody(to);
  reception how;
  try {
    how = receive(to, type, payload, false, p);
  } catch (...) {
    end_unsent(type, payload);
    throw;
  }
  if (how == reception::taken) return send_result::sent;
  if (how == reception::late || (how == reception::full && p.learns)) return send_result::full;
  bury_received(how, to, type, payload);
  if (how == reception::nowhere) return send_result::target_ended;
  return how == reception::refused ? send_result::engine_ended : send_result::dropped;
}

reception core::receive_timed(port to, const message_type& type, void* payload) noexcept {
  const base::may_use_reserve sure;
  to = actors::or_nobody(to);
  const bool is_elsewhere = cell_of(to).where().engine() != id() && actors::is_current(to);
  return is_elsewhere ? reception::elsewhere : receive(to, type, payload, false, {});
}

// The engine has ended. The message is counted apart: the end waits for quiet, and must not wait for threads that go on
// sending.
reception core::refuse(const message_type& type) noexcept {
  if (type.role == message_type::ordinary) look_whether_left_behind("sending a message");
  if (!actors::is_order(type)) outside_.late.fetch_add(1);
  return reception::refused;
}

void core::bury_received(reception how, port to, const message_type& type, void* payload) noexcept {
  const base::may_use_reserve sure;
  const dispatch::lobby::guest guest(guests_);
  const actors::staying here(*this);  // the message may own the engine, and end it when it is buried
  if (how == reception::nowhere) return bury_outside(to, type, payload, actors::why_gone(to));
  if (how == reception::refused) return bury_unhandled(to, type, payload, failure_reason::engine_ended);
  outside_.sent.fetch_add(1);
  count_refused(to);
  bury_outside(to, type, payload, failure_reason::mailbox_full);
}

void core::bury_outside(port to, const message_type& type, void* payload, failure_reason reason) noexcept {
  const dispatch::lobby::guest guest(guests_);
  const actors::staying here(*this);
  bury_unhandled(to, type, payload, reason);
  (actors::is_order(type) ? outside_.orders : outside_.dead).fetch_add(1);
  dispatcher_.quiet_event().notify();
}

void core::bury_unhandled(port to, const message_type& type, void* payload, failure_reason reason) noexcept {
  // The target may be an asker that waits in this engine. No worker is left, so it is told here that the engine has
  // ended.
  if (no_workers_.load() && lives_in(to, *this))
    tell_asker(cell_of(to), actors::notice_of(failure_reason::engine_ended));
  bury(to, type, payload, reason, [this](port customer, failure&& f) { tell_unserved(customer, std::move(f)); });
}

// An order to end an actor has nothing left to do, because that end has come. An order to watch is answered: its
// watcher is told.
void core::bury_order(port to, const message_type& type, void* payload, failure_reason reason) noexcept {
  if (&type != &actors::watch_message) return;
  watcher& w = *std::exchange(*static_cast<watcher**>(payload), nullptr);
  tell_watcher(w, to, reason == failure_reason::engine_ended ? end_reason::engine_ended : end_reason::gone);
}

// If this engine has ended and the watcher lives in it, the watcher is dropped: no actor there would handle the notice.
void core::tell_watcher(watcher& w, port ended_one, end_reason why) noexcept {
  const bool too_late = why == end_reason::engine_ended && lives_in(w.to, *this);
  too_late ? w.drop(w) : actors::tell(w, nullptr, actors::notice_of_end(ended_one, why, nullptr));
}

}  // namespace tact::detail
