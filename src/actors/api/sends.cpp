// Implements the functions by which messages are sent: staged by a handler, or sent at once.
#include "actors/cells/cell_region.hpp"
#include "actors/engine/core.hpp"
#include "actors/engine/process_engines.hpp"
#include "actors/failure/failure_notices.hpp"
#include "actors/run/transactor.hpp"
#include "tact/detail/core.hpp"
#include "tact/detail/patience.hpp"

namespace tact::detail {

using actors::cell_of;
using actors::cell_region;

// -- in a handler

void* stage_elsewhere(run& r, port to, const message_type& type) {
  return actors::transactor::of(r).sends().stage(to, type);
}
void* stage_round(run& r, port to, const message_type& type) {
  return actors::transactor::of(r).sends().stage_round(to, type);
}
void* stage_effect(run& r, port to, const message_type& type) {
  return actors::transactor::of(r).sends().stage_effect(to, type);
}
void* stage_in_front(run& r, port to, const message_type& type) {
  return actors::transactor::of(r).sends().stage_in_front(to, type);
}

// -- at once

bool lives_in(port p, const core& engine) noexcept { return actors::lives_in(p, engine.id()); }

void send(core& engine, port to, const message_type& type, void* payload) {
  to = actors::or_nobody(to);
  // A message whose target has ended becomes a dead letter of the engine that the caller has named.
  if (cell_of(to).where().engine() == engine.id() || !actors::is_current(to))
    return engine.intake().post(to, type, payload);
  send(to, type, payload);
}

send_result send(core& engine, port to, const message_type& type, void* payload, const patience& p) {
  to = actors::or_nobody(to);
  if (cell_of(to).where().engine() == engine.id() || !actors::is_current(to))
    return engine.intake().try_post(to, type, payload, p);
  actors::engine_gate* gate = cell_region::of(cell_of(to)).gate.load();
  if (core* other = gate == nullptr ? nullptr : gate->enter()) {
    const actors::inside_gate in(*gate);
    return other->intake().try_post(to, type, payload, p);
  }
  send(to, type, payload);
  return send_result::engine_ended;
}

void send_round(core& engine, port to, const message_type& type, void* payload) {
  to = actors::or_nobody(to);
  if (cell_of(to).where().engine() == engine.id())
    return engine.intake().post(to, type, payload, actors::shard_choice::next);
  send(engine, to, type, payload);
}

void send(port to, const message_type& type, void* payload) {
  to = actors::or_nobody(to);
  actors::engine_gate* gate = cell_region::of(cell_of(to)).gate.load();
  if (core* engine = gate == nullptr ? nullptr : gate->enter()) {
    const actors::inside_gate in(*gate);
    return engine->intake().post(to, type, payload);
  }
  if (&cell_of(to) == &actors::nobody()) {
    if (core* const first = actors::enter_first_engine()) {  // the dead letter needs an engine
      const actors::inside_gate in(first->gate());
      return first->intake().post(to, type, payload);
    }
  }
  // No engine is left that could count the dead letter. The customer hears of it, and the payload ends.
  void* message = type.indirect ? *static_cast<void**>(payload) : payload;
  if (const port customer = type.customer == nullptr ? 0 : type.customer(message)) {
    actors::tell_outside(customer, actors::notice_of(failure_reason::engine_ended));
  }
  if (type.destroy != nullptr) type.destroy(payload, true);
}

}  // namespace tact::detail
