// The counts of a shared_distribution: one thread writes them, and others read them meanwhile.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "tact/patterns/detail/value_buckets.hpp"

namespace tact::detail {

// Invariant: what a reader has found in the buckets is also in sum, min and max when it reads these afterwards. So no
// quantile lies outside of min and max.
// Thread safety: record by one thread at a time; the rest by any.
class shared_counts {
 public:
  using buckets = value_buckets;

  void record(std::uint64_t value) noexcept {
    // relaxed: owner-only, all of these loads; the stores are published by the bucket's.
    const std::uint64_t sum = buckets::sum_of(sum_.load(std::memory_order_relaxed), value);
    sum_.store(sum, std::memory_order_relaxed);
    if (value < min_.load(std::memory_order_relaxed)) min_.store(value, std::memory_order_relaxed);
    // relaxed: owner-only; published by the bucket's store. pairs: shared_counts.record
    if (value > max_.load(std::memory_order_relaxed)) max_.store(value, std::memory_order_relaxed);
    std::atomic<std::uint64_t>& b = buckets_[buckets::index_of(value)];
    // relaxed: owner-only. release: publishes the sum, min and max of this value. pairs: shared_counts.record
    b.store(b.load(std::memory_order_relaxed) + 1, std::memory_order_release);
  }

  [[nodiscard]] std::uint64_t count_in(std::size_t bucket) const noexcept {
    // acquire: observes the sum, min and max of these values. pairs: shared_counts.record
    return buckets_[bucket].load(std::memory_order_acquire);
  }
  // relaxed: counter; read behind the buckets.
  [[nodiscard]] std::uint64_t sum() const noexcept { return sum_.load(std::memory_order_relaxed); }
  // relaxed: counter; read behind the buckets.
  [[nodiscard]] std::uint64_t min() const noexcept { return min_.load(std::memory_order_relaxed); }
  // relaxed: counter; read behind the buckets.
  [[nodiscard]] std::uint64_t max() const noexcept { return max_.load(std::memory_order_relaxed); }

 private:
  std::array<std::atomic<std::uint64_t>, buckets::count> buckets_{};
  std::atomic<std::uint64_t> sum_{0};
  std::atomic<std::uint64_t> min_{(std::numeric_limits<std::uint64_t>::max)()};
  std::atomic<std::uint64_t> max_{0};
};

}  // namespace tact::detail
