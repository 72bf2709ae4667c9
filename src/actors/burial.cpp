#include "actors/burial.hpp"

#include <utility>

#include "actors/actor_names.hpp"
#include "actors/core.hpp"
#include "actors/end_notices.hpp"
#include "actors/failures.hpp"
#include "actors/metadata.hpp"
#include "actors/transactor.hpp"
#include "actors/visit.hpp"
#include "base/reserve.hpp"

namespace tact::detail {

using actors::cell_of;
using mailbox::out_of_line_body;

void burial::bury_outside(port to, const message_type& type, void* payload, failure_reason reason) noexcept {
  const guest inside(engine_.guests());
  const actors::visiting here(engine_);
  bury_unhandled(to, type, payload, reason);
  (actors::is_order(type) ? engine_.outside().orders : engine_.outside().dead).fetch_add(1);
  engine_.workers().quiet_event().notify();
}

void burial::bury_unhandled(port to, const message_type& type, void* payload, failure_reason reason) noexcept {
  // The target may be an asker that waits in this engine. No worker is left, so it is told here that the engine has
  // ended.
  if (engine_.has_ended() && lives_in(to, engine_))
    tell_asker(cell_of(to), actors::notice_of(failure_reason::engine_ended));
  bury(to, type, payload, reason, [this](port customer, failure&& f) { tell_unserved(customer, std::move(f)); });
}

// An order to end an actor has nothing left to do, because that end has come. An order to watch is answered: its
// watcher is told.
void burial::bury_order(port to, const message_type& type, void* payload, failure_reason reason) noexcept {
  if (&type != &actors::watch_message) return;
  watcher& w = *std::exchange(*static_cast<watcher**>(payload), nullptr);
  tell_watcher(w, to, reason == failure_reason::engine_ended ? end_reason::engine_ended : end_reason::gone);
}

void burial::tell_watcher(watcher& w, port ended_one, end_reason why) noexcept {
  const bool too_late = why == end_reason::engine_ended && lives_in(w.to, engine_);
  too_late ? w.drop(w) : actors::tell(w, nullptr, actors::notice_of_end(ended_one, why, nullptr));
}

void burial::bury(const actors::kept_messages::kept& k, failure_reason reason) noexcept {
  const base::may_use_reserve sure;
  engine_.limits().leave_counters(k.to, k.body->admissions, k.type->bytes());
  bury_outside(k.to, *k.type, k.body->payload, reason);
  out_of_line_body::end(*k.body);
}

void burial::count_lost(bool as_sent) noexcept {
  if (as_sent) engine_.outside().sent.fetch_add(1);
  engine_.outside().dead.fetch_add(1);
  engine_.workers().quiet_event().notify();
}

void burial::count_order() noexcept {
  engine_.outside().orders.fetch_add(1);
  engine_.workers().quiet_event().notify();
}

void burial::bury_unsent(port to, const message_type& type, void* payload, failure_reason reason) noexcept {
  engine_.outside().sent.fetch_add(1);
  bury_outside(to, type, payload, reason);
}

void burial::tell_unserved(port customer, failure&& f) noexcept {
  // No worker handles a notice any more, so the thread that asks is told here.
  if (engine_.has_ended() && lives_in(customer, engine_)) return tell_asker(cell_of(customer), std::move(f));
  actors::tell_outside(customer, std::move(f));
}

void burial::tell_asker(actors::cell& c, failure f) noexcept {
  const auto seen = c.word.load();
  if (c.type()->kind != actor_kind::asker || seen.is_ended() || !c.word.try_end(seen)) return;
  closure& asker = *seen.closure();
  const behavior_type& type = *asker.type;  // read now: an asker on a thread's stack is gone once it was told
  c.next_generation(true);
  try {
    type.on_failure(asker, static_cast<transactor&>(engine_.workers().workers().front()->running()), &f);
  } catch (...) {
    const actors::caught thrown = actors::describe_exception();
    engine_.reports().failed(
        {actors::name_of(type, nullptr), failure_message.name, thrown.what, true, {}, thrown.causes});
  }
  if (type.destroy != nullptr) actors::end_closure(asker, allocation::finished);
  engine_.workers().quiet_event().notify();  // where a thread that asks an engine without workers sleeps
}

}  // namespace tact::detail
