// Which workers are idle: a hint for threads that want to spread work.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <optional>

#include "sync/policy.hpp"

namespace tact::dispatch {

// Thread safety: any thread. An answer may be outdated at once, so correctness does not depend on it, but for that of
// are_all: docs/protocols/quiet.md, Sleeping.
template <class Sync>
class basic_idle_set {
 public:
  static constexpr unsigned workers_max = 1024;

  // All workers begin in the set: a worker that has not begun has nothing to do.
  explicit basic_idle_set(unsigned workers) : size_((workers + 63) / 64) {
    for (unsigned i = 0; i < workers; ++i) add(i);
  }

  // seq_cst: of two workers that become idle at once, one sees the other as idle: see are_all.
  void add(unsigned worker) noexcept { word(worker).fetch_or(bit(worker)); }
  // relaxed: hint, nothing depends on it for correctness.
  void remove(unsigned worker) noexcept { word(worker).fetch_and(~bit(worker), std::memory_order_relaxed); }

  [[nodiscard]] bool has(unsigned worker) const noexcept { return (read(words_[worker / 64]) & bit(worker)) != 0; }
  [[nodiscard]] bool any() const noexcept { return read(words_[0]) != 0 || (size_ > 1 && count() != 0); }
  [[nodiscard]] unsigned count() const noexcept {
    unsigned total = 0;
    for (unsigned i = 0; i < size_; ++i) total += static_cast<unsigned>(std::popcount(read(words_[i])));
    return total;
  }

  // Are the first `workers` ones all idle? Of two workers that have added themselves before they ask, one gets the
  // answer that a thread gets which looks at both.
  // seq_cst: see add.
  [[nodiscard]] bool are_all(unsigned workers) const noexcept {
    for (unsigned first = 0; first < workers; first += 64) {
      const unsigned left = workers - first;
      const std::uint64_t wanted = left >= 64 ? ~std::uint64_t{0} : bit(left) - 1;
      if ((words_[first / 64].load() & wanted) != wanted) return false;
    }
    return true;
  }

  // The first idle worker after `from`, going round.
  [[nodiscard]] std::optional<unsigned> next_after(unsigned from) const noexcept {
    const unsigned start = from / 64 % size_;
    for (unsigned i = 0; i <= size_; ++i) {
      const unsigned w = (start + i) % size_;
      std::uint64_t bits = read(words_[w]);
      const unsigned shift = from % 64 + 1;
      const std::uint64_t above = shift == 64 ? 0 : ~std::uint64_t{0} << shift;
      if (i == 0) bits &= above;  // the rest of this word comes last
      if (bits != 0) return w * 64 + static_cast<unsigned>(std::countr_zero(bits));
    }
    return {};
  }

 private:
  using word_type = typename Sync::template atomic<std::uint64_t>;

  static constexpr std::uint64_t bit(unsigned worker) noexcept { return std::uint64_t{1} << worker % 64; }
  // relaxed: hint, as above.
  static std::uint64_t read(const word_type& w) noexcept { return w.load(std::memory_order_relaxed); }
  word_type& word(unsigned worker) noexcept { return words_[worker / 64]; }

  const unsigned size_;  // words in use
  // On lines of their own: workers write them often, and read what lies beside them for every message.
  alignas(64) std::array<word_type, workers_max / 64> words_{};
};

class idle_set final : public basic_idle_set<sync::real> {
 public:
  using basic_idle_set::basic_idle_set;
};

}  // namespace tact::dispatch
