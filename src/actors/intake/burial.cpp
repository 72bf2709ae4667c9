#include "actors/intake/burial.hpp"

#include <utility>

#include "actors/cells/actor_names.hpp"
#include "actors/cells/closures.hpp"
#include "actors/cells/metadata.hpp"
#include "actors/failure/core_messages.hpp"
#include "actors/failure/end_notices.hpp"
#include "actors/failure/failure_notices.hpp"
#include "actors/failure/failure_texts.hpp"
#include "actors/pressure/limited_mailbox.hpp"
#include "base/reserve.hpp"
#include "sync/thread_state.hpp"

namespace tact::actors {

using mailbox::out_of_line_body;

namespace {

// While one lives, what this thread does comes of the message with that number, if it has one.
class recorded_as {
 public:
  explicit recorded_as(std::uint64_t id) noexcept : was_(number()) {
    if (id != 0) number() = id;
  }
  recorded_as(const recorded_as&) = delete;
  recorded_as& operator=(const recorded_as&) = delete;
  ~recorded_as() { number() = was_; }

 private:
  static std::uint64_t& number() noexcept { return sync::thread_state::of_this_thread().recorded; }

  const std::uint64_t was_;
};

}  // namespace

void burial::bury_outside(port to, const message_type& type, void* payload, failure_reason reason,
                          std::uint64_t id) noexcept {
  const hosted here(host_);
  bury_unhandled(to, type, payload, reason, id);
  (is_order(type) ? counted_.orders : counted_.dead).fetch_add(1);
  workers_.quiet_event().notify();
}

void burial::note_unserved(port to, const message_type& type, failure_reason reason, std::uint64_t id) const noexcept {
  detail::trace_sink* const sink = recorded_.active();
  if (sink == nullptr || is_order(type)) return;
  sink->bury({.step = detail::trace_step::unserved,
              .reason = static_cast<unsigned char>(reason),
              .id = id,
              .actor = to,
              .message = &type});
}

std::uint64_t burial::number(port to, const message_type& type) const noexcept {
  detail::trace_sink* const sink = recorded_.active();
  if (sink == nullptr || !sink->sees_all() || is_order(type)) return 0;
  return sink->send(to, type, nullptr, sync::thread_state::of_this_thread().recorded);
}

void burial::bury_unhandled(port to, const message_type& type, void* payload, failure_reason reason,
                            std::uint64_t id) noexcept {
  if (id == 0) id = number(to, type);
  note_unserved(to, type, reason, id);
  const recorded_as here(id);
  // The target may be an asker that waits in this engine. No worker is left, so it is told here that the engine has
  // ended.
  if (phase_.has_ended() && lives_here(to)) tell_asker(cell_of(to), notice_of(failure_reason::engine_ended));
  bury(to, type, payload, reason, [this](port customer, failure&& f) { tell_unserved(customer, std::move(f)); });
}

// An order to end an actor has nothing left to do, because that end has come. An order to watch is answered: its
// watcher is told.
void burial::bury_order(port to, const message_type& type, void* payload, failure_reason reason) noexcept {
  if (&type != &watch_message) return;
  watcher& w = *std::exchange(*static_cast<watcher**>(payload), nullptr);
  tell_watcher(w, to, reason == failure_reason::engine_ended ? end_reason::engine_ended : end_reason::gone);
}

void burial::tell_watcher(watcher& w, port ended_one, end_reason why) noexcept {
  const bool too_late = why == end_reason::engine_ended && lives_here(w.to);
  too_late ? w.drop(w) : tell(w, nullptr, notice_of_end(ended_one, why, nullptr));
}

void burial::bury(const kept_messages::kept& k, failure_reason reason) noexcept {
  const base::may_use_reserve sure;
  limits_.leave_counters(k.to, k.body->admissions(), k.type->bytes());
  bury_outside(k.to, *k.type, k.body->payload, reason, k.body->id());
  out_of_line_body::end(*k.body);
}

void burial::close_mailbox(cell& c) noexcept {
  limited_mailbox& m = mailbox_of(c);
  if (m.space.close()) limits_.tell_of_room();
  m.kept.close();
  while (const auto left = m.kept.take_left()) bury(*left, failure_reason::engine_ended);
}

void burial::bury_left(mailbox::envelope& e) noexcept {
  if (e.admissions() != 0) limits_.leave_counters(e);
  bury_outside(e.target(), e.type(), e.payload(), failure_reason::engine_ended, e.id());
  e.free_out_of_line();
}

bool burial::lives_here(port p) const noexcept { return lives_in(p, host_.identity.number()); }

void burial::tell_owed(port customer) noexcept {
  customer = or_nobody(customer);
  if (is_current(customer) && !lives_here(customer)) tell_outside(customer, notice_of(failure_reason::engine_ended));
}

void burial::count_sent_and_lost() noexcept {
  counted_.sent.fetch_add(1);
  count_lost();
}

void burial::count_lost() noexcept {
  counted_.dead.fetch_add(1);
  workers_.quiet_event().notify();
}

void burial::count_order() noexcept {
  counted_.orders.fetch_add(1);
  workers_.quiet_event().notify();
}

void burial::bury_unsent(port to, const message_type& type, void* payload, failure_reason reason) noexcept {
  counted_.sent.fetch_add(1);
  bury_outside(to, type, payload, reason);
}

void burial::tell_unserved(port customer, failure&& f) noexcept {
  // No worker handles a notice any more, so the thread that asks is told here.
  if (phase_.has_ended() && lives_here(customer)) return tell_asker(cell_of(customer), std::move(f));
  tell_outside(customer, std::move(f));
}

void burial::tell_asker(cell& c, failure f) noexcept {
  const auto seen = c.word.load();
  if (c.type()->kind != actor_kind::asker || seen.is_ended() || !c.word.try_end(seen)) return;
  counted_.asks_over.fetch_add(1);
  closure& asker = *seen.closure();
  const behavior_type& type = *asker.type;  // read now: an asker on a thread's stack is gone once it was told
  c.next_generation_served();
  try {
    run none;  // an asker uses no run
    type.on_failure(asker, none, &f);
  } catch (...) {
    const caught thrown = describe_exception();
    reports_.failed({name_of(type, nullptr), failure_message.name, thrown.what, true, {}, thrown.causes});
  }
  if (type.destroy != nullptr) end_closure(asker, allocation::finished);
  workers_.quiet_event().notify();  // where a thread that asks an engine without workers sleeps
}

}  // namespace tact::actors
