// The timers that are armed, by the time at which they are due: a hierarchical wheel, and a heap of those due soon.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace tact::detail {
struct timer_record;
}

namespace tact::actor {

// Time is cut into ticks of 65.5 microseconds. A timer lies in the slot of the highest digit, to base 64, in which its
// tick differs from the present one; when the present comes to that slot its timers go to slots below, and those of the
// present tick are sorted, by their times and then by their turns. The next slot is opened when these have been taken.
// What is moved are entries of 32 bytes, one behind the other: the timers themselves, far apart, are not touched. Who
// comes late, for the present tick or one before, goes to a heap.
//
// Entries of cancelled timers stay until they are due, or until somebody throws them out.
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

  void add(nanoseconds due_ns, detail::timer_record& record, std::uint64_t key) {
    insert({due_ns, ++turns_, &record, key});
    ++size_;
  }
  // Which one is due by then, and first; null: none. Time does not go back.
  [[nodiscard]] const entry* due_by(nanoseconds now_ns);
  // Takes out the one that due_by has just returned.
  void pop() noexcept;

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
  static constexpr std::size_t kept_max = 4096;  // entries for which an empty slot keeps room

  struct slot {
    std::vector<entry> entries;
    nanoseconds first_ns = never;
  };
  static constexpr std::uint64_t tick_of(nanoseconds t) noexcept { return static_cast<std::uint64_t>(t) >> tick_bits; }
  struct later {
    bool operator()(const entry& a, const entry& b) const noexcept {
      return a.due_ns != b.due_ns ? a.due_ns > b.due_ns : a.turn > b.turn;
    }
  };

  void insert(const entry& e);
  void sort_opened();
  [[nodiscard]] bool open_slot(std::uint64_t until);
  [[nodiscard]] bool run_is_over() const noexcept { return taken_ == run_.size(); }
  [[nodiscard]] const entry* first() const noexcept;

  std::uint64_t present_ = 0;  // a tick: what is due by its end is not in the slots
  std::uint64_t turns_ = 0;
  std::uint64_t size_ = 0;
  std::vector<entry> run_;                        // of the slot that was opened last, in order
  std::size_t taken_ = 0;                         // of the run
  std::vector<entry> late_;                       // a heap, the first one on top
  std::array<std::uint64_t, levels> occupied_{};  // a bit for each slot
  std::array<std::array<slot, slots>, levels> all_;
  std::vector<entry> opened_;  // what was in a slot that is divided
};

template <class F>
std::uint64_t timer_wheel::remove_if(F f) {
  const std::uint64_t before = size_;
  run_.erase(run_.begin(), run_.begin() + static_cast<std::ptrdiff_t>(std::exchange(taken_, 0)));
  size_ -= std::erase_if(run_, f) + std::erase_if(late_, f);
  std::make_heap(late_.begin(), late_.end(), later{});
  for (unsigned level = 0; level < levels; ++level) {
    for (unsigned i = 0; i < slots; ++i) {
      slot& s = all_[level][i];
      if (s.entries.empty()) continue;
      size_ -= std::erase_if(s.entries, f);
      s.first_ns = never;
      for (const entry& e : s.entries) s.first_ns = std::min(s.first_ns, e.due_ns);
      if (s.entries.empty()) occupied_[level] &= ~(std::uint64_t{1} << i);
      if (s.entries.capacity() > kept_max && s.entries.size() < s.entries.capacity() / 4) s.entries.shrink_to_fit();
    }
  }
  return before - size_;
}

}  // namespace tact::actor
