// Counts times by their size: one thread adds, any reads.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "sync/policy.hpp"

namespace tact::inspect {

// A bucket is at most a sixteenth as wide as the times in it are long, from one tick to 2^44, which is an hour or more;
// what is longer counts as that. Source of the idea: HdrHistogram, of Gil Tene.
// Thread safety: add by one thread; for_each by any.
class tick_histogram {
 public:
  void add(std::uint64_t ticks) noexcept {
    auto& count = counts_[bucket_of(ticks)];
    // relaxed: counter, and owner-only read of its own last store.
    count.store(count.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  }
  // Calls f(ticks in the middle of a bucket, count) for each bucket that is not empty, from the shortest times on.
  template <class F>
  void for_each(F f) const {
    for (std::size_t b = 0; b < buckets; ++b) {
      // relaxed: counter, published with nothing.
      const std::uint32_t count = counts_[b].load(std::memory_order_relaxed);
      if (count != 0) f(middle_of(b), count);
    }
  }

 private:
  static constexpr unsigned sub_bits = 4;
  static constexpr unsigned bits_most = 44;
  static constexpr std::size_t buckets = (bits_most - sub_bits + 1) << sub_bits;

  // The first 16 times have a bucket each; from there on each power of two has 16.
  [[nodiscard]] static std::size_t bucket_of(std::uint64_t ticks) noexcept {
    if (ticks >> bits_most != 0) return buckets - 1;
    const auto width = static_cast<unsigned>(std::bit_width(ticks | ((1U << sub_bits) - 1)));
    const unsigned shift = width - sub_bits - (width > sub_bits ? 1 : 0);
    return static_cast<std::size_t>((ticks >> shift) + (std::uint64_t{shift} << sub_bits));
  }
  [[nodiscard]] static std::uint64_t middle_of(std::size_t bucket) noexcept {
    if (bucket < (2U << sub_bits)) return bucket;
    const auto shift = static_cast<unsigned>((bucket >> sub_bits) - 1);
    const std::uint64_t low = (bucket & ((1U << sub_bits) - 1)) + (1U << sub_bits);
    return (low << shift) + (std::uint64_t{1} << shift) / 2;
  }

  std::array<sync::atomic<std::uint32_t>, buckets> counts_{};
};

}  // namespace tact::inspect
