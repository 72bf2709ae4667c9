// The timers that are armed, by the time at which they are due: a hierarchical wheel, and a heap of those due soon.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <utility>

#include "base/counted_vector.hpp"

namespace tact::detail {
struct timer_record;
}

namespace tact::actors {

// Time is cut into ticks of 65.5 microseconds. A timer lies in the slot of the highest digit, to base 64, in which its
// tick differs from the present one; when the present comes to that slot its timers go to slots below, and those of the
// present tick are sorted, by their times and then by their turns. The next slot is opened when these have been taken.
// What is moved are entries of 32 bytes, one behind the other: the timers themselves, far apart, are not touched. Who
// comes late, for the present tick or one before, goes to a heap.
//
// A slot of a high level may have a hundred thousand, and while it is divided nothing fires. So whoever has time
// divides the next one ahead, a part at a time: into a row of slots that takes the place of the level below when its
// time comes.
//
// Entries of cancelled timers stay until they are due, or until somebody throws them out. What is empty keeps little
// room, so that the memory of a burst goes when the burst has fired.
// Thread safety: owner only. What adds or moves entries throws std::bad_alloc. Source of the idea: Varghese and Lauck's
// timing wheels.
class timer_wheel {
 public:
  using nanoseconds = std::int64_t;  // from the beginning of the clock, not negative
  static constexpr nanoseconds never = std::numeric_limits<nanoseconds>::max();

  struct entry {
    nanoseconds due_ns;
    std::uint64_t turn;  // of its coming
    detail::timer_record* record;
    std::uint64_t key;
  };

  // The next add for that time does not throw, if nothing else is called before.
  void make_room(nanoseconds due_ns);
  void add(nanoseconds due_ns, detail::timer_record& record, std::uint64_t key) {
    insert({due_ns, ++turns_, &record, key});
    ++size_;
  }
  // Which one is due by then, and first; null: none. Time does not go back.
  [[nodiscard]] const entry* due_by(nanoseconds now_ns);
  // Takes out the one that due_by has just returned.
  void pop() noexcept;

  // Does a part of what will have to be done when a slot is opened. False: nothing is left to do ahead.
  bool prepare();

  // The next due_by may have to divide a slot, which takes time.
  [[nodiscard]] bool divides_next() const noexcept { return first() == nullptr && occupied_[0] == 0; }

  // One that is due soon after it; null: it is not known.
  [[nodiscard]] const entry* ahead() const noexcept {
    return taken_ + looked_ahead < run_.size() ? &run_[taken_ + looked_ahead] : nullptr;
  }

  // When the first one is due; never: there is none.
  [[nodiscard]] nanoseconds next_ns() const noexcept;
  [[nodiscard]] std::uint64_t size() const noexcept { return size_; }

  // Throws out all for which f(entry) is true. Returns how many.
  template <class F>
  std::uint64_t remove_if(F f);

 private:
  static constexpr unsigned tick_bits = 16;
  static constexpr unsigned digit_bits = 6;
  static constexpr unsigned slots = 1u << digit_bits;
  static constexpr unsigned levels = (63 - tick_bits + digit_bits - 1) / digit_bits;
  static constexpr std::size_t looked_ahead = 8;
  static constexpr std::size_t kept_max = 64;  // entries for which a slot or list that is empty keeps room

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
  // What has been divided already of a slot, which stays occupied meanwhile; level 0: of none.
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
      return a.due_ns != b.due_ns ? a.due_ns > b.due_ns : a.turn > b.turn;
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

  std::uint64_t present_ = 0;  // a tick: what is due by its end is not in the slots
  std::uint64_t turns_ = 0;
  std::uint64_t size_ = 0;
  list run_;                                      // of the slot that was opened last, in order
  std::size_t taken_ = 0;                         // of the run
  list late_;                                     // a heap, the first one on top
  std::array<std::uint64_t, levels> occupied_{};  // a bit for each slot
  std::array<row, levels> all_;
  list opened_;  // what was in a slot that is divided
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
