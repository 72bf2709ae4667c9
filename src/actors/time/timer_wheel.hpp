// The timers that are armed, ordered by the time at which they are due: a hierarchical wheel, and a heap for late ones.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <utility>

#include "actors/common/names.hpp"
#include "base/counted_vector.hpp"

namespace tact::actors {}

namespace tact::actors {

// Time is cut into ticks of 65.5 microseconds. An entry lies in the slot of the highest digit, to base 64, in which its
// tick differs from the present one. When the present comes to a slot, its entries go to slots below, and those of the
// present tick are sorted, by their times and then by their arrivals. The next slot is opened when these have been
// taken. An entry that comes late, for the present tick or one before, goes to a heap. Only entries of 32 bytes are
// moved, which lie one behind the other; the timers themselves, which lie far apart, are not touched. Invariant: an
// entry in a slot is due after the present tick; all others are in the sorted run or in the heap.
//
// A slot of a high level may have a hundred thousand entries, and while it is divided no timer fires. So when the
// service has time, it divides the next slot ahead, a part at a time: into a row of slots that takes the place of the
// level below when the present comes to that slot.
//
// The entries of cancelled timers stay until they are due, or until the service throws them out. Slots and lists that
// are empty keep little room, so that the memory of a burst goes when the burst has fired.
// Thread safety: owner only. Functions that add or move entries throw std::bad_alloc. Source of the idea: Varghese and
// Lauck's timing wheels.
class timer_wheel {
 public:
  using nanoseconds = std::int64_t;  // since the beginning of the clock, not negative
  static constexpr nanoseconds never = std::numeric_limits<nanoseconds>::max();

  struct entry {
    nanoseconds due_ns;
    std::uint64_t arrival;  // the order in which the entries came
    detail::timer_record* record;
    std::uint64_t key;
  };

  // After this the next add for that time does not throw, if no other function is called before.
  void make_room(nanoseconds due_ns);
  void add(nanoseconds due_ns, detail::timer_record& record, std::uint64_t key) {
    insert({due_ns, ++arrivals_, &record, key});
    ++size_;
  }
  // The first of the entries that are due by then; null: none is. REQUIRES: the time is not before that of the last
  // call.
  [[nodiscard]] const entry* due_by(nanoseconds now_ns);
  // Takes out the entry that due_by has just returned.
  void pop() noexcept;

  // Divides a part of the slot that will have to be divided next. False: nothing is left to do ahead.
  bool prepare();

  // The next due_by may have to divide a slot, which takes time.
  [[nodiscard]] bool divides_next() const noexcept { return first() == nullptr && occupied_[0] == 0; }

  // An entry that is due soon after the one that due_by has just returned; null: it is not known.
  [[nodiscard]] const entry* ahead() const noexcept {
    return taken_ + looked_ahead < run_.size() ? &run_[taken_ + looked_ahead] : nullptr;
  }

  // Calls f(entry) for the entries, one part of the wheel after the other, until `enough()` says so behind a part: all
  // entries of a part are due before those of the parts that follow.
  template <class F, class Enough>
  void for_each_early(F f, Enough enough) const;
  // When the first entry is due; never: there is none.
  [[nodiscard]] nanoseconds next_ns() const noexcept;
  [[nodiscard]] std::uint64_t size() const noexcept { return size_; }

  // Throws out all entries for which f(entry) is true. Returns how many.
  template <class F>
  std::uint64_t remove_if(F f);

 private:
  static constexpr unsigned tick_bits = 16;
  static constexpr unsigned digit_bits = 6;
  static constexpr unsigned slots = 1u << digit_bits;
  static constexpr unsigned levels = (63 - tick_bits + digit_bits - 1) / digit_bits;
  static constexpr std::size_t looked_ahead = 8;
  static constexpr std::size_t kept_max = 64;  // an empty slot or list keeps room for so many entries

  static constexpr std::size_t prepared_in_a_row = 2048;
  static constexpr unsigned lowest_prepared = 2;  // a slot of a lower level is divided in no time

  using list = base::counted_vector<entry>;

  struct slot {
    list entries;
    nanoseconds first_ns = never;

    void add(const entry& e) {
      entries.push_back(e);
      first_ns = std::min(first_ns, e.due_ns);
    }
    template <class F>
    std::size_t remove_if(F f);
  };
  using row = std::array<slot, slots>;
  // The part of a slot that has been divided already, while the slot stays occupied; level 0: no slot is being divided.
  struct preparation {
    unsigned level = 0;
    unsigned digit = 0;
    row below;

    [[nodiscard]] bool is_for(unsigned l, unsigned d) const noexcept { return level != 0 && level == l && digit == d; }
    [[nodiscard]] bool is_empty() const noexcept {
      return std::all_of(below.begin(), below.end(), [](const slot& s) { return s.entries.empty(); });
    }
  };
  static constexpr std::uint64_t tick_of(nanoseconds t) noexcept { return static_cast<std::uint64_t>(t) >> tick_bits; }
  static constexpr unsigned digit_of(std::uint64_t tick, unsigned level) noexcept {
    return static_cast<unsigned>(tick >> (level * digit_bits)) % slots;
  }
  struct later {
    bool operator()(const entry& a, const entry& b) const noexcept {
      return a.due_ns != b.due_ns ? a.due_ns > b.due_ns : a.arrival > b.arrival;
    }
  };

  template <class F>
  static std::size_t remove_from(list& l, F f);
  [[nodiscard]] unsigned level_of(std::uint64_t tick) const noexcept;
  void insert(const entry& e);
  void sort_opened();
  [[nodiscard]] bool open_slot(std::uint64_t until);
  [[nodiscard]] bool is_occupied(unsigned level, unsigned digit) const noexcept {
    return (occupied_[level] >> digit & 1) != 0;
  }
  [[nodiscard]] unsigned lowest_occupied(unsigned from) const noexcept;
  void divide(unsigned level);
  void use_prepared(unsigned level);
  [[nodiscard]] bool run_is_over() const noexcept { return taken_ == run_.size(); }
  [[nodiscard]] const entry* first() const noexcept;

  std::uint64_t present_ = 0;  // a tick: entries that are due by its end are not in the slots
  std::uint64_t arrivals_ = 0;
  std::uint64_t size_ = 0;
  list run_;                                      // the entries of the slot that was opened last, in order
  std::size_t taken_ = 0;                         // so many of the run
  list late_;                                     // a heap, with the first entry on top
  std::array<std::uint64_t, levels> occupied_{};  // a bit for each slot
  std::array<row, levels> all_;
  list opened_;  // the entries of the slot that is being divided
  preparation ahead_;
};

template <class F>
std::size_t timer_wheel::remove_from(list& l, F f) {
  const std::size_t gone = std::erase_if(l, f);
  if (l.capacity() > kept_max && l.size() < l.capacity() / 4) l.shrink_to_fit();
  return gone;
}

template <class F>
std::size_t timer_wheel::slot::remove_if(F f) {
  const std::size_t gone = remove_from(entries, f);
  first_ns = never;
  for (const entry& e : entries) first_ns = std::min(first_ns, e.due_ns);
  return gone;
}

// The sorted run and the heap are one part, and so is each slot with what was divided of it.
template <class F, class Enough>
void timer_wheel::for_each_early(F f, Enough enough) const {
  std::for_each(late_.begin(), late_.end(), f);
  std::for_each(run_.begin() + static_cast<std::ptrdiff_t>(taken_), run_.end(), f);
  for (unsigned level = 0; level < levels; ++level) {
    for (unsigned digit = 0; digit < slots; ++digit) {
      if (enough()) return;
      if (!is_occupied(level, digit)) continue;
      const slot& s = all_[level][digit];
      std::for_each(s.entries.begin(), s.entries.end(), f);
      if (!ahead_.is_for(level, digit)) continue;
      for (const slot& below : ahead_.below) std::for_each(below.entries.begin(), below.entries.end(), f);
    }
  }
}

template <class F>
std::uint64_t timer_wheel::remove_if(F f) {
  const std::uint64_t before = size_;
  run_.erase(run_.begin(), run_.begin() + static_cast<std::ptrdiff_t>(std::exchange(taken_, 0)));
  size_ -= remove_from(run_, f) + remove_from(late_, f);
  std::make_heap(late_.begin(), late_.end(), later{});
  nanoseconds first_ahead = never;
  for (slot& s : ahead_.below) {
    size_ -= s.remove_if(f);
    first_ahead = std::min(first_ahead, s.first_ns);
  }
  for (unsigned level = 0; level < levels; ++level) {
    for (unsigned i = 0; i < slots; ++i) {
      if (!is_occupied(level, i)) continue;
      slot& s = all_[level][i];
      const bool is_ahead = ahead_.is_for(level, i);
      size_ -= s.remove_if(f);
      if (is_ahead) s.first_ns = std::min(s.first_ns, first_ahead);
      if (s.entries.empty() && !(is_ahead && !ahead_.is_empty())) occupied_[level] &= ~(std::uint64_t{1} << i);
    }
  }
  return before - size_;
}

}  // namespace tact::actors
