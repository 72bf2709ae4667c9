#include "actors/time/timer_wheel.hpp"

#include <bit>

namespace tact::actors {

unsigned timer_wheel::level_of(std::uint64_t tick) const noexcept {
  return (63u - static_cast<unsigned>(std::countl_zero(tick ^ present_))) / digit_bits;
}

void timer_wheel::make_room(nanoseconds due_ns) {
  const std::uint64_t tick = tick_of(due_ns);
  const unsigned level = tick <= present_ ? 0 : level_of(tick);
  list& l = tick <= present_ ? late_ : all_[level][digit_of(tick, level)].entries;
  if (l.size() == l.capacity()) l.reserve(2 * l.size() + 1);
}

void timer_wheel::insert(const entry& e) {
  const std::uint64_t tick = tick_of(e.due_ns);
  if (tick <= present_) {
    late_.push_back(e);
    return std::push_heap(late_.begin(), late_.end(), later{});
  }
  const unsigned level = level_of(tick);
  const unsigned digit = digit_of(tick, level);
  all_[level][digit].add(e);
  occupied_[level] |= std::uint64_t{1} << digit;
}

void timer_wheel::sort_opened() {
  const auto earlier = [](const entry& a, const entry& b) { return later{}(b, a); };
  if (!std::is_sorted(run_.begin(), run_.end(), earlier)) std::sort(run_.begin(), run_.end(), earlier);
}

unsigned timer_wheel::lowest_occupied(unsigned from) const noexcept {
  while (from < levels && occupied_[from] == 0) ++from;
  return from;
}

// Moves the present to the next slot that has entries, and moves these entries on. False: that slot begins later than
// `until`. The next slot is the first one of the lowest level that has any: all entries of a level agree with the
// present in the digits above that level, and have a greater digit in the level itself.
bool timer_wheel::open_slot(std::uint64_t until) {
  const unsigned level = lowest_occupied(0);
  if (level == levels) return false;
  const unsigned shift = level * digit_bits;
  const auto digit = static_cast<unsigned>(std::countr_zero(occupied_[level]));
  const std::uint64_t above = present_ >> shift >> digit_bits << digit_bits;
  const std::uint64_t begins = (above | digit) << shift;
  if (begins > until) return false;
  slot& s = all_[level][digit];
  list& into = level == 0 ? run_ : opened_;
  base::empty_but_keep(into, kept_max);
  into.swap(s.entries);
  s.first_ns = never;
  occupied_[level] &= ~(std::uint64_t{1} << digit);
  present_ = begins;
  if (level == 0) {
    taken_ = 0;
    sort_opened();
  } else {
    if (ahead_.is_for(level, digit)) use_prepared(level - 1);
    divide(level - 1);
    base::empty_but_keep(opened_, kept_max);
  }
  return true;
}

// Moves the entries of the opened slot to the levels below, most of them to `level`. To count them first takes less
// time than to let each slot grow.
void timer_wheel::divide(unsigned level) {
  std::array<std::uint32_t, slots> counts{};
  for (const entry& e : opened_) ++counts[digit_of(tick_of(e.due_ns), level)];
  for (unsigned digit = 1; digit < slots; ++digit) {  // entries with digit 0 go further down
    slot& s = all_[level][digit];
    if (counts[digit] != 0) s.entries.reserve(s.entries.size() + counts[digit]);
  }
  for (const entry& e : opened_) insert(e);
}

// REQUIRES: that level is empty; opened_ holds the entries that are still to be divided.
void timer_wheel::use_prepared(unsigned level) {
  ahead_.level = 0;
  all_[level].swap(ahead_.below);
  slot& first = all_[level][0];
  opened_.insert(opened_.end(), first.entries.begin(), first.entries.end());
  base::release(first.entries);
  first.first_ns = never;
  for (unsigned digit = 1; digit < slots; ++digit) {
    if (!all_[level][digit].entries.empty()) occupied_[level] |= std::uint64_t{1} << digit;
  }
}

// Takes entries from the end of the slot, so that those that are left there are the ones still to be divided. The slot
// stays occupied, and its first_ns is still that of all entries that came to it.
bool timer_wheel::prepare() {
  if (!is_occupied(ahead_.level, ahead_.digit)) ahead_.level = 0;
  if (ahead_.level == 0) {
    const unsigned level = lowest_occupied(lowest_prepared);
    if (level == levels) return false;
    ahead_.level = level;
    ahead_.digit = static_cast<unsigned>(std::countr_zero(occupied_[level]));
  }
  list& from = all_[ahead_.level][ahead_.digit].entries;
  for (std::size_t n = std::min(from.size(), prepared_in_a_row); n != 0; --n) {
    ahead_.below[digit_of(tick_of(from.back().due_ns), ahead_.level - 1)].add(from.back());
    from.pop_back();
  }
  return !from.empty();
}

const timer_wheel::entry* timer_wheel::first() const noexcept {
  if (late_.empty()) return run_is_over() ? nullptr : &run_[taken_];
  if (run_is_over() || later{}(run_[taken_], late_.front())) return &late_.front();
  return &run_[taken_];
}

// An entry of the present tick that comes out of a slot of a higher level goes to the heap of late ones too. So each
// time a slot has been divided, that heap is looked at before the next slot is opened.
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
    if (!run_is_over()) return;
    taken_ = 0;
    return base::empty_but_keep(run_, kept_max);
  }
  std::pop_heap(late_.begin(), late_.end(), later{});
  late_.pop_back();
  if (late_.empty()) base::empty_but_keep(late_, kept_max);
}

timer_wheel::nanoseconds timer_wheel::next_ns() const noexcept {
  if (const entry* waiting = first()) return waiting->due_ns;
  const unsigned level = lowest_occupied(0);
  if (level == levels) return never;
  return all_[level][static_cast<unsigned>(std::countr_zero(occupied_[level]))].first_ns;
}

}  // namespace tact::actors
