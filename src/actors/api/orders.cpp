// Implements the functions by which an actor is told to end, or to begin anew.
#include "actors/common/this_thread.hpp"
#include "actors/failure/core_messages.hpp"
#include "actors/run/transactor.hpp"
#include "base/reserve.hpp"
#include "tact/detail/core.hpp"
#include "tact/detail/owned_actor.hpp"

namespace tact::detail {

void order_end(port to, end_reason why) noexcept {
  const base::may_use_reserve sure;
  to = actors::or_nobody(to);
  if (!actors::is_current(to)) return;
  // send() ends the payload, so the order must not be a local object, whose destructor would run once more.
  alignas(actors::end_order) unsigned char room[sizeof(actors::end_order)];
  send(to, actors::pill_message, ::new (room) actors::end_order({allocation::finished, why}, nullptr));
}

void end_owned(port p) noexcept {
  run* r = actors::this_thread::worker();
  if (r == nullptr || !actors::transactor::of(*r).ends().end_later(p)) order_end(p, end_reason::owner_gone);
}

void order_restart(port to, std::chrono::nanoseconds rest) noexcept {
  const base::may_use_reserve sure;
  to = actors::or_nobody(to);
  if (!actors::is_current(to)) return;
  run* const r = actors::this_thread::worker();
  if (r != nullptr && actors::transactor::of(*r).restarts().order_later(to, rest.count())) return;
  actors::restart_order order{rest.count(), 0};
  send(to, actors::restart_message, &order);
}

}  // namespace tact::detail
