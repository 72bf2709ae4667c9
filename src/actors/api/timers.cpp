// Implements the functions that set and cancel timers, and those that limit asks.
#include <chrono>
#include <utility>

#include "actors/common/this_thread.hpp"
#include "actors/engine/core.hpp"
#include "actors/failure/failure_notices.hpp"
#include "actors/run/transactor.hpp"
#include "actors/time/cancelled_asks.hpp"
#include "actors/time/revocation.hpp"
#include "actors/time/timers.hpp"
#include "sync/system.hpp"
#include "sync/thread_state.hpp"
#include "tact/detail/context_node.hpp"
#include "tact/detail/continuation.hpp"

namespace tact::detail {

void* stage_timer(run& r, port to, const message_type& type, const due_time& when, const timer_again* again,
                  timer_id& made) {
  return actors::transactor::of(r).timers().stage(to, type, when, again, made);
}
void* stage_idle(run& r, port to, const message_type& type, const timer_again& again) {
  return actors::transactor::of(r).timers().idle().stage(to, type, again);
}
void stage_never_idle(run& r) { actors::transactor::of(r).timers().idle().stage_end(); }

timer_id set_timer(core& engine, port to, const message_type& type, void* payload, const due_time& when,
                   const timer_again* again) {
  engine.look_whether_left_behind("setting a timer");
  return engine.timed().send_later(to, type, payload, when, again);
}

// The gate keeps the engine alive meanwhile. If the record has come to another engine, the gate leads there, and the
// key does not fit any more.
namespace {

// Calls f(timers&) of the engine in which the timer was set, which lives until then; null: it is gone.
template <class F>
auto in_engine_of(timer_id id, F f) noexcept -> decltype(f(std::declval<actors::timers&>())) {
  if (id.record == nullptr) return {};
  actors::engine_gate* const gate = actors::timer_region::of(*id.record).gate.load();
  core* const engine = gate == nullptr ? nullptr : gate->enter();
  if (engine == nullptr) return {};
  const auto done = f(engine->timed());
  gate->leave();
  return done;
}

}  // namespace

}  // namespace tact::detail

namespace tact::actors {

bool revoke_timer(timer_id id, while_leaving how) noexcept {
  return in_engine_of(id, [=](actors::timers& t) { return t.cancel_outside(id, how); });
}
port revoke_ask(timer_id id) noexcept {
  return in_engine_of(id, [=](actors::timers& t) { return t.cancel_ask(id); });
}

}  // namespace tact::actors

namespace tact::detail {

bool cancel_timer(timer_id id) {
  if (run* const here = actors::this_thread::handler()) {
    actors::transactor::of(*here).timers().stage_cancel(id);
    return false;
  }
  // The service itself must not wait: it would wait for itself, where it copies a message.
  const bool waits = !sync::thread_state::of_this_thread().never_waits;
  return actors::revoke_timer(id, waits ? actors::while_leaving::waits : actors::while_leaving::goes_on);
}

// -- the limits of asks

namespace {

constexpr auto no_deadline = context_node::time_point::max();

// When the limit ends an ask, and what its customer hears then.
struct limit_of_ask {
  due_time due{due_time::from::setting, due_time::never};
  const char* words = "the time limit of the request has passed";

  limit_of_ask(const context_node* c, std::int64_t limit_ns) noexcept {
    due.ns = limit_ns;
    if (c == nullptr || c->until == no_deadline) return;
    const auto left = std::chrono::nanoseconds(c->until - now()).count();
    if (limit_ns != due_time::never && limit_ns <= left) return;
    due = {due_time::from::steady, std::chrono::nanoseconds(c->until.time_since_epoch()).count()};
    words = "the deadline of its context has passed";
  }
  [[nodiscard]] failure notice() const noexcept { return actors::notice_of(failure_reason::timed_out, words); }
};

}  // namespace

timer_id stage_ask_limit(run& r, port customer, std::int64_t limit_ns) {
  const context_node* const c = r.context;
  if (c != nullptr) {
    if (auto over = why_over(*c)) {
      stage_message<failure>(r, customer, std::move(*over));
      return {};
    }
  }
  const limit_of_ask limit(c, limit_ns);
  const bool has_flag = c != nullptr && c->flag != nullptr;
  if (limit.due.ns == due_time::never && !has_flag) return {};
  timer_id made;
  write_message<failure>(limit.notice(), [&](const message_type& type) {
    return stage_timer(r, customer, type, limit.due, nullptr, made);
  });
  if (has_flag) actors::transactor::of(r).timers().note_flags(made, *c);
  return made;
}

timer_id reserve_ask_limit(core& engine) {
  const context_node* const c = current_context();
  if (c == nullptr || (c->flag == nullptr && c->until == no_deadline)) return {};
  actors::timers& all = engine.timed();
  all.start();
  const limit_of_ask limit(c, due_time::never);
  const timer_extra* const kept = timer_extra::make(nullptr, c);
  timer_record* r;
  try {
    r = &all.take_outside();
  } catch (...) {
    timer_extra::end(kept);
    throw;
  }
  r->type = &message_type_of<failure>;
  r->extra = kept;
  r->due_ns = actors::timers::due_ns(limit.due, sync::clock::now());
  write_message<failure>(limit.notice(), [&](const message_type&) { return r->payload; });
  const timer_id reserved{r, r->word.key_of_free()};
  try {
    note_ask(*c, reserved);
  } catch (...) {
    forget_ask_limit(engine, reserved);
    throw;
  }
  return reserved;
}

void set_ask_limit(core& engine, timer_id id, port customer) noexcept {
  if (id.record == nullptr) return;
  timer_record& r = *id.record;
  const context_node* const c = hold(r.extra->context);
  r.to = customer;
  static_cast<void>(r.word.begin());
  engine.timed().set_outside(r);
  end_if_over(*c, id);
  release(c);
}

void forget_ask_limit(core& engine, timer_id id) noexcept {
  if (id.record == nullptr) return;
  actors::timers::end_unset(*id.record);
  id.record->word.skip();
  engine.timed().give_outside(*id.record);
}

}  // namespace tact::detail
