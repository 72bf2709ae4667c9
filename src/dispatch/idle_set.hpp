// Which workers sleep: a hint for senders that want to spread work.
#pragma once

#include <bit>
#include <cstdint>
#include <optional>
#include <vector>

#include "sync/policy.hpp"

namespace tact::dispatch {

// Thread safety: any thread. What it says may be outdated at once; nothing depends on it for correctness.
class idle_set {
 public:
  explicit idle_set(unsigned workers) : words_((workers + 63) / 64) {}

  void add(unsigned worker) noexcept {
    // relaxed: hint, nothing depends on it for correctness.
    word(worker).fetch_or(bit(worker), std::memory_order_relaxed);
    // relaxed: hint, nothing depends on it for correctness.
    count_.fetch_add(1, std::memory_order_relaxed);
  }
  void remove(unsigned worker) noexcept {
    // relaxed: hint, nothing depends on it for correctness.
    word(worker).fetch_and(~bit(worker), std::memory_order_relaxed);
    // relaxed: hint, nothing depends on it for correctness.
    count_.fetch_sub(1, std::memory_order_relaxed);
  }
  // relaxed: hint, nothing depends on it for correctness.
  [[nodiscard]] bool any() const noexcept { return count_.load(std::memory_order_relaxed) != 0; }

  // The first sleeping worker after `from`, going round.
  [[nodiscard]] std::optional<unsigned> next_after(unsigned from) const noexcept {
    if (!any()) return {};
    const unsigned start = from / 64 % size();
    for (unsigned i = 0; i <= size(); ++i) {
      const unsigned w = (start + i) % size();
      // relaxed: hint, nothing depends on it for correctness.
      std::uint64_t bits = words_[w].load(std::memory_order_relaxed);
      const unsigned shift = from % 64 + 1;
      const std::uint64_t above = shift == 64 ? 0 : ~std::uint64_t{0} << shift;
      if (i == 0) bits &= above;  // the rest of this word comes last
      if (bits != 0) return w * 64 + static_cast<unsigned>(std::countr_zero(bits));
    }
    return {};
  }

 private:
  static constexpr std::uint64_t bit(unsigned worker) noexcept { return std::uint64_t{1} << worker % 64; }
  sync::atomic<std::uint64_t>& word(unsigned worker) noexcept { return words_[worker / 64]; }
  [[nodiscard]] unsigned size() const noexcept { return static_cast<unsigned>(words_.size()); }

  std::vector<sync::atomic<std::uint64_t>> words_;
  alignas(64) sync::atomic<std::uint32_t> count_{0};
};

}  // namespace tact::dispatch
