#include "actors/wait/wait_circles.hpp"

#include <mutex>
#include <utility>
#include <vector>

#include "actors/failure/dead_letters.hpp"

namespace tact::actors {

lane_stack*& wait_circles::list_of(port customer) noexcept {
  constexpr std::uint64_t cell_bytes = sizeof(cell);
  return (*lists_)[(customer & detail::cell_mask) / cell_bytes % lists_count];
}

lane_stack* wait_circles::find(port customer) noexcept {
  if (customer == 0) return nullptr;
  lane_stack* s = list_of(customer);
  while (s != nullptr && !detail::same_actor(s->customer, customer)) s = s->next_waiting;
  return s;
}

void wait_circles::begin(lane_stack& s) noexcept {
  const std::lock_guard guard(mutex_);
  lane_stack*& first = list_of(s.customer);
  s.next_waiting = first;
  s.led_to_by = &first;
  if (first != nullptr) first->led_to_by = &s.next_waiting;
  s.answered_after = 0;
  first = &s;
  if (lane_stack* owed = find(s.debt)) owed->answered_after = s.customer;
}

void wait_circles::end(lane_stack& s) noexcept {
  const std::lock_guard guard(mutex_);
  *s.led_to_by = s.next_waiting;
  if (s.next_waiting != nullptr) s.next_waiting->led_to_by = s.led_to_by;
}

std::string wait_circles::put_off(port customer, const lane_stack& s) {
  const std::lock_guard guard(mutex_);
  lane_stack* const asks = find(customer);
  if (asks == nullptr) return {};
  asks->answered_after = s.customer;
  std::string names = describe(asks->target);
  for (const lane_stack* next = find(s.customer); next != nullptr; next = find(next->answered_after)) {
    names += " -> " + describe(next->target);
    if (next != asks) continue;
    asks->answered_after = 0;  // the request is answered now, so no circle is left
    return names;
  }
  return {};
}

std::vector<std::string> wait_circles::describe_some(std::size_t most) const {
  std::vector<std::string> all;
  if (lists_ == nullptr) return all;
  std::vector<std::pair<port, port>> some;
  {
    const std::lock_guard guard(mutex_);
    for (const lane_stack* s : *lists_) {
      for (; s != nullptr && some.size() < most; s = s->next_waiting) {
        if (s->asked != 0) some.emplace_back(s->target, s->asked);  // else its handler only commits
      }
    }
  }
  for (const auto& [who, whom] : some) all.push_back(actors::describe(who) + " for " + actors::describe(whom));
  return all;
}

}  // namespace tact::actors
