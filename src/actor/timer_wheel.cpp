#include "actor/timer_wheel.hpp"

#include <bit>

namespace tact::actor {

void timer_wheel::insert(const entry& e) {
  const std::uint64_t tick = tick_of(e.due_ns);
  if (tick <= present_) {
    late_.push_back(e);
    return std::push_heap(late_.begin(), late_.end(), later{});
  }
  const unsigned level = (63u - static_cast<unsigned>(std::countl_zero(tick ^ present_))) / digit_bits;
  const unsigned digit = static_cast<unsigned>(tick >> (level * digit_bits)) % slots;
  slot& s = all_[level][digit];
  s.entries.push_back(e);
  s.first_ns = std::min(s.first_ns, e.due_ns);
  occupied_[level] |= std::uint64_t{1} << digit;
}

void timer_wheel::sort_opened() {
  const auto earlier = [](const entry& a, const entry& b) { return later{}(b, a); };
  if (!std::is_sorted(run_.begin(), run_.end(), earlier)) std::sort(run_.begin(), run_.end(), earlier);
}

// The present moves to the next slot in which there is something, and what is there moves on. False: it begins later
// than that. The first slot of the lowest level that has one is it: what is in a level has the digits of the present
// above it, and a greater one in its own.
bool timer_wheel::open_slot(std::uint64_t until) {
  unsigned level = 0;
  while (level < levels && occupied_[level] == 0) ++level;
  if (level == levels) return false;
  const unsigned shift = level * digit_bits;
  const auto digit = static_cast<unsigned>(std::countr_zero(occupied_[level]));
  const std::uint64_t above = present_ >> shift >> digit_bits << digit_bits;
  const std::uint64_t begins = (above | digit) << shift;
  if (begins > until) return false;
  slot& s = all_[level][digit];
  std::vector<entry>& into = level == 0 ? run_ : opened_;
  into.clear();
  if (into.capacity() > kept_max) into = {};
  into.swap(s.entries);
  s.first_ns = never;
  occupied_[level] &= ~(std::uint64_t{1} << digit);
  present_ = begins;
  if (level == 0) {
    taken_ = 0;
    sort_opened();
  } else {
    for (const entry& e : opened_) insert(e);
  }
  return true;
}

const timer_wheel::entry* timer_wheel::first() const noexcept {
  if (late_.empty()) return run_is_over() ? nullptr : &run_[taken_];
  if (run_is_over() || later{}(run_[taken_], late_.front())) return &late_.front();
  return &run_[taken_];
}

// Whoever comes to the present tick by a slot above comes late as well: so what a slot is divided into is looked at
// before the next one is opened.
const timer_wheel::entry* timer_wheel::due_by(nanoseconds now_ns) {
  const std::uint64_t now = tick_of(now_ns);
  while (first() == nullptr && open_slot(now)) {
  }
  const entry* found = first();
  if (found == nullptr) present_ = std::max(present_, now);
  return found == nullptr || found->due_ns > now_ns ? nullptr : found;
}

void timer_wheel::pop() noexcept {
  --size_;
  if (!run_is_over() && first() == &run_[taken_]) {
    ++taken_;
    return;
  }
  std::pop_heap(late_.begin(), late_.end(), later{});
  late_.pop_back();
  if (late_.empty() && late_.capacity() > kept_max) late_ = {};
}

timer_wheel::nanoseconds timer_wheel::next_ns() const noexcept {
  if (const entry* waiting = first()) return waiting->due_ns;
  for (unsigned level = 0; level < levels; ++level) {
    if (occupied_[level] != 0) return all_[level][static_cast<unsigned>(std::countr_zero(occupied_[level]))].first_ns;
  }
  return never;
}

}  // namespace tact::actor
