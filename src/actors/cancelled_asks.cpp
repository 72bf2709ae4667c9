#include "actors/cancelled_asks.hpp"

#include <algorithm>
#include <memory>
#include <mutex>

#include "actors/core.hpp"
#include "actors/failures.hpp"
#include "actors/flagged_ask.hpp"
#include "actors/run_timers.hpp"
#include "actors/this_thread.hpp"
#include "actors/timers.hpp"
#include "actors/transactor.hpp"
#include "tact/detail/context_node.hpp"
#include "tact/detail/continuation.hpp"

namespace tact::detail {
namespace {

using flagged = actors::flagged_ask<sync::real>;

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

cancelled_asks& asks_of(const cancel_state& s) {
  if (cancelled_asks* const there = s.asks.load()) return *there;
  auto made = std::make_unique<cancelled_asks>();
  cancelled_asks* there = nullptr;
  return s.asks.compare_exchange_strong(there, made.get()) ? *made.release() : *there;
}

// Ends the ask, if its timer is set and no other thread has ended it.
void end_ask(timer_id limit) noexcept {
  const actors::this_thread::callback outside;
  const port customer = revoke_ask(limit);
  if (customer == 0) return;
  actors::tell_outside(customer, actors::notice_of(failure_reason::cancelled, "a flag of its context is set"));
}

}  // namespace

// -- the asks of a flag

void cancelled_asks::add(timer_id limit) {
  const std::lock_guard lock(mutex_);
  if (all_.size() >= look_at_) {
    std::erase_if(all_, [](timer_id old) { return !old.record->word.is_in_use(old.key); });
    look_at_ = std::max<std::size_t>(16, 2 * all_.size());
  }
  all_.push_back(limit);
}

std::vector<timer_id> cancelled_asks::take() noexcept {
  const std::lock_guard lock(mutex_);
  return std::move(all_);
}

void cancel_state::end_asks(cancel_state& s) noexcept { delete s.asks.load(); }

bool request_stop(cancel_state& s) noexcept {
  const auto take = [&] {
    cancelled_asks* const asks = s.asks.load();
    return asks == nullptr ? std::vector<timer_id>() : asks->take();
  };
  return flagged::set(s.set, take, [](timer_id limit) { end_ask(limit); });
}

void end_if_over(const context_node& c, timer_id limit) noexcept {
  flagged::look([&] { return has_flag_set(c); }, [&] { end_ask(limit); });
}

bool has_flag_set(const context_node& c) noexcept {
  const flag_node* f = c.flag;
  while (f != nullptr && !f->state->set.load()) f = f->around == nullptr ? nullptr : f->around->flag;
  return f != nullptr;
}

void note_ask(const context_node& c, timer_id limit) {
  for (const flag_node* f = c.flag; f != nullptr; f = f->around == nullptr ? nullptr : f->around->flag)
    asks_of(*f->state).add(limit);
}

// -- the limits

std::optional<failure> why_over(const context_node& c) noexcept {
  if (has_flag_set(c)) return actors::notice_of(failure_reason::cancelled, "a flag of its context is set");
  if (c.until != no_deadline && c.until <= now())
    return actors::notice_of(failure_reason::timed_out, "the deadline of its context has passed");
  return {};
}

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
  if (has_flag) transactor::of(r).timers().note_flags(made, *c);
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
  actors::timers::end_message(*id.record, false);
  id.record->word.skip();
  engine.timed().give_outside(*id.record);
}

}  // namespace tact::detail
