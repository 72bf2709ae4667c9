#include "actors/cells/pinned_closures.hpp"

#include <mutex>
#include <utility>

namespace tact::actors {

pinned_closures::~pinned_closures() { trim(); }

void pinned_closures::trim() noexcept {
  for (stripe& s : stripes_) {
    const std::lock_guard lock(s.mutex);
    while (s.spare != nullptr) delete std::exchange(s.spare, s.spare->next);
  }
}

pinned_closures::entry& pinned_closures::pin(const detail::closure& which, std::unique_ptr<entry>& spare) noexcept {
  stripe& s = stripe_of(&which);
  const std::lock_guard lock(s.mutex);
  entry*& list = list_of(s, &which);
  entry* e = list;
  while (e != nullptr && e->which != &which) e = e->next;
  if (e == nullptr) {
    e = s.spare != nullptr ? std::exchange(s.spare, s.spare->next) : spare.release();
    *e = {.next = list, .which = &which};
    list = e;
  }
  ++e->users;
  // relaxed: hint, see put_off.
  pinned_.fetch_add(1, std::memory_order_relaxed);
  return *e;
}

void pinned_closures::unpin(entry& e) noexcept {
  entry last;
  {
    stripe& s = stripe_of(e.which);
    const std::lock_guard lock(s.mutex);
    // relaxed: hint, see put_off.
    pinned_.fetch_sub(1, std::memory_order_relaxed);
    if (--e.users != 0) return;
    last = e;
    entry** at = &list_of(s, e.which);
    while (*at != &e) at = &(*at)->next;
    *at = e.next;
    e.next = std::exchange(s.spare, &e);
  }
  if (last.end != nullptr) last.end(const_cast<detail::closure*>(last.which), last.context);
}

bool pinned_closures::look_up(detail::closure& which, finalizer end, void* context) noexcept {
  stripe& s = stripe_of(&which);
  const std::lock_guard lock(s.mutex);
  for (entry* e = list_of(s, &which); e != nullptr; e = e->next) {
    if (e->which != &which) continue;
    e->end = end;
    e->context = context;
    return true;
  }
  return false;
}

}  // namespace tact::actors
