// How messages come in from outside, and what becomes of those that nobody will handle.
#include <cstring>
#include <utility>

#include "actor/core.hpp"
#include "actor/failures.hpp"
#include "actor/notices.hpp"
#include "sync/system.hpp"
#include "sync/thread_state.hpp"

namespace tact::detail {

using actor::cell_of;

void core::post(port to, const message_type& type, void* payload, bool round) noexcept {
  to = actor::or_nobody(to);
  if (sync::system* const s = sync::system::current()) [[unlikely]] {
    s->may_switch();
    s->note(sync::event::sent, to & ~index_mask, actor::type_name_of(to), type.name);
  }
  if (!actor::is_current(to)) [[unlikely]]
    return post_nowhere(to, type, payload);
  if (const context_node* c = sync::thread_state::of_this_thread().context) [[unlikely]]
    return post_in_context(*c, to, type, payload, round);
  if (!put_in(to, type, payload, round, nullptr)) refuse(to, type, payload);
}

inline bool core::put_in(port to, const message_type& type, void* payload, bool round,
                         mailbox::parcel* with_context) noexcept {
  const actor::route r = actor::route_of(to);
  if (!r.is_exclusive() && !round) return dispatcher_.post_anywhere(type, to, payload, with_context);
  const std::uint32_t shard = r.is_exclusive() ? r.shard() : dispatcher_.next_shard_round();
  return dispatcher_.post(shard, type, to, payload, with_context);
}

// As for a chunk, there must be memory.
void core::post_in_context(const context_node& c, port to, const message_type& type, void* payload,
                           bool round) noexcept {
  mailbox::parcel& p = mailbox::parcel::make(&c);
  if (type.relocate != nullptr) {
    type.relocate(payload, p.payload);
  } else {
    std::memcpy(p.payload, payload, type.payload_bytes);
  }
  if (put_in(to, type, p.payload, round, &p)) return;
  refuse(to, type, p.payload);
  mailbox::parcel::end(p);
}

// The target has ended.
void core::post_nowhere(port to, const message_type& type, void* payload) noexcept {
  if (closed_.load()) return refuse(to, type, payload);
  outside_.sent.fetch_add(1);
  bury_outside(to, type, payload, actor::why_gone(to));
}

// The engine has ended. Counted apart, so that the end, which waits for quiet, need not wait for those who go on
// sending.
void core::refuse(port to, const message_type& type, void* payload) noexcept {
  if (!actor::is_order(type)) outside_.late.fetch_add(1);
  bury_unhandled(to, type, payload, failure_reason::engine_ended);
}

void core::bury_outside(port to, const message_type& type, void* payload, failure_reason reason) noexcept {
  bury_unhandled(to, type, payload, reason);
  (actor::is_order(type) ? outside_.orders : outside_.dead).fetch_add(1);
  dispatcher_.quiet_event().notify();
}

void core::bury_unhandled(port to, const message_type& type, void* payload, failure_reason reason) noexcept {
  // An answer for a thread that asks: it is told here that the engine in which it waits has ended.
  if (no_workers_.load() && lives_in(to, *this))
    tell_asker(cell_of(to), actor::notice_of(failure_reason::engine_ended));
  bury(to, type, payload, reason, [this](port customer, failure&& f) {
    // Nobody handles a notice any more; the thread that asks is told here.
    if (no_workers_.load() && lives_in(customer, *this)) return tell_asker(cell_of(customer), f);
    actor::tell_outside(customer, std::move(f));
  });
}

// The end that it asks for has come. An order to watch is passed on to who wanted to know.
void core::bury_order(port to, const message_type& type, void* payload, failure_reason reason) noexcept {
  if (&type != &actor::watch_message) return;
  watcher& w = *std::exchange(*static_cast<watcher**>(payload), nullptr);
  tell_watcher(w, to, reason == failure_reason::engine_ended ? end_reason::engine_ended : end_reason::gone);
}

// In an engine that has ended nobody would hear it.
void core::tell_watcher(watcher& w, port ended_one, end_reason why) noexcept {
  const bool too_late = why == end_reason::engine_ended && lives_in(w.to, *this);
  too_late ? w.drop(w) : actor::tell(w, nullptr, actor::notice_of_end(ended_one, why, nullptr));
}

}  // namespace tact::detail
