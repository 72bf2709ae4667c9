#include "inspect/kept_requests.hpp"

#include <algorithm>
#include <new>
#include <utility>

#include "tact/detail/deadline.hpp"
#include "tact/detail/trace_sink.hpp"

namespace tact::inspect {

namespace {

std::chrono::nanoseconds time() noexcept { return detail::now().time_since_epoch(); }

}  // namespace

// Customers that live at the same time lie in different cells, so the cell says the place. Source of the factor: Knuth,
// multiplicative hashing.
kept_requests::place& kept_requests::place_of(detail::port customer) noexcept {
  return places_[((customer & detail::cell_mask) * 0x9e3779b97f4a7c15) >> (64 - places_bits)];
}

// Gives the place free if its request is over.
void kept_requests::settle(place& p) noexcept {
  if (p.customer == 0 || detail::is_alive(p.customer)) return;
  ++p.of->answered;
  p.customer = 0;
}

void kept_requests::keep(const request& r) noexcept {
  const std::lock_guard lock(mutex_);
  place& p = place_of(r.customer);
  settle(p);
  if (p.customer != 0) return;
  try {
    const auto at = over_.find(r.actor_type);
    p.of = at != over_.end() ? &at->second : &over_[std::string(r.actor_type)];
    p.message = r.message;
    p.actor = r.actor;
    p.since = time();
    p.customer = r.customer;
  } catch (const std::bad_alloc&) {
    // Without memory the request is left out.
  }
}

void kept_requests::give_up(detail::port customer) noexcept {
  const std::lock_guard lock(mutex_);
  place& p = place_of(customer);
  if (p.customer == 0 || !detail::same_actor(p.customer, customer)) return;
  ++p.of->unanswered;
  p.customer = 0;
}

kept_requests::reading kept_requests::read() {
  const std::lock_guard lock(mutex_);
  const auto now = time();
  reading all;
  for (place& p : places_) {
    settle(p);
    if (p.customer != 0) all.open.push_back({p.actor, p.message, now - p.since});
  }
  std::stable_sort(all.open.begin(), all.open.end(), [](const auto& a, const auto& b) { return a.kept > b.kept; });
  all.over = over_;
  return all;
}

void kept_requests::clear() noexcept {
  const std::lock_guard lock(mutex_);
  for (place& p : places_) p.customer = 0;
}

}  // namespace tact::inspect
