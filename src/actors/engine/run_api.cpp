// Implements the functions that the code of handlers calls: what a run stages, creates, becomes and waits for.
#include <utility>

#include "actors/common/this_thread.hpp"
#include "actors/life/idle_watch.hpp"
#include "actors/run/transactor.hpp"
#include "base/reserve.hpp"
#include "tact/detail/type_key.hpp"

namespace tact::detail {

// -- sends

void* stage_elsewhere(run& r, port to, const message_type& type) { return transactor::of(r).sends().stage(to, type); }
void* stage_round(run& r, port to, const message_type& type) { return transactor::of(r).sends().stage_round(to, type); }
void* stage_effect(run& r, port to, const message_type& type) {
  return transactor::of(r).sends().stage_effect(to, type);
}
void* stage_in_front(run& r, port to, const message_type& type) {
  return transactor::of(r).sends().stage_in_front(to, type);
}

// -- the end of the run

void stage_become(run& r, closure& next) { committer::stage_become(transactor::of(r), next); }
void stage_stop(run& r, ending how) noexcept { committer::stage_stop(transactor::of(r), how); }
void stage_unchanged(run& r) noexcept { transactor::of(r).commits().stage_unchanged(); }
void discard(run& r) noexcept { transactor::of(r).commits().discard(); }
void pass_on(run& r, port to, const void* message, const type_key& type) {
  transactor::of(r).commits().pass_on(to, message, type);
}

// -- actors

port reserve(run& r, placement where) {
  transactor& t = transactor::of(r);
  return t.made().reserve(t, where);
}
port create(run& r, closure& first, placement where) {
  transactor& t = transactor::of(r);
  return t.made().create(t, first, where);
}
port create_beside(run& r, closure& effect) { return transactor::of(r).made().create_beside(effect); }
port reserve(run& r, creation_options&& about) {
  return transactor::of(r).made().create(nullptr, actor_kind::transactional, std::move(about));
}
port create(run& r, closure& first, creation_options&& about) {
  return transactor::of(r).made().create(&first, first.type->kind, std::move(about));
}
void install(run& r, port at, closure& first) { transactor::of(r).made().install(at, first); }
void order_restart(port to, std::chrono::nanoseconds rest) noexcept {
  const base::may_use_reserve sure;
  to = actors::or_nobody(to);
  if (!actors::is_current(to)) return;
  run* const r = actors::this_thread::worker();
  if (r != nullptr && transactor::of(*r).restarts().order_later(to, rest.count())) return;
  actors::restart_order order{rest.count(), 0};
  send(to, actors::restart_message, &order);
}

// -- waiting

port reserve_waiter(run& r, port asked) { return transactor::of(r).parking().reserve_waiter(asked); }
port reserve_commit(run& r) { return transactor::of(r).parking().reserve_commit(); }
void park(run& r, port reserved, waiter& w) {
  transactor& here = transactor::of(r);
  here.twice().compare_at_wait();
  here.parking().park(reserved, w);
}
void end_parked() {
  transactor& here = transactor::of(*actors::this_thread::handler());
  rehearser::end_step(here);
  actors::idle_watch::end_behind_wait(here, *here.at().resumed());
  here.parking().leave_stack(actors::lane_stack::outcome::returned);
}

}  // namespace tact::detail
