#include "actors/time/cancelled_asks.hpp"

#include <algorithm>
#include <memory>
#include <mutex>

#include "actors/common/this_thread.hpp"
#include "actors/failure/failure_notices.hpp"
#include "actors/time/flagged_ask.hpp"
#include "actors/time/revocation.hpp"
#include "actors/time/timer_store.hpp"
#include "tact/detail/context_node.hpp"

namespace tact::detail {
namespace {

using flagged = actors::flagged_ask<sync::real>;

constexpr auto no_deadline = context_node::time_point::max();

cancelled_asks& asks_of(const cancel_state& s) {
  if (cancelled_asks* const there = s.asks.load()) return *there;
  auto made = std::make_unique<cancelled_asks>();
  cancelled_asks* there = nullptr;
  return s.asks.compare_exchange_strong(there, made.get()) ? *made.release() : *there;
}

// Ends the ask, if its timer is set and no other thread has ended it.
void end_ask(timer_id limit) noexcept {
  const actors::this_thread::callback outside;
  const port customer = actors::revoke_ask(limit);
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

std::optional<failure> why_over(const context_node& c) noexcept {
  if (has_flag_set(c)) return actors::notice_of(failure_reason::cancelled, "a flag of its context is set");
  if (c.until != no_deadline && c.until <= now())
    return actors::notice_of(failure_reason::timed_out, "the deadline of its context has passed");
  return {};
}

}  // namespace tact::detail
