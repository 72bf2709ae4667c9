// tact::distribution: how often which values came, in fixed memory.
#include "tact/detail/begin.hpp"  // first
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <limits>
#include <vector>

#include "tact/detail/deadline.hpp"
#include "tact/failure.hpp"

namespace tact {

// tact::distribution d;
// d.record(1'200);
// d.quantile(0.99);  // 1'200, give or take a 64th
//
// Counts whole numbers from 0 on, in buckets whose width grows with the numbers: 32 for each power of two, 1'920 in
// all, which take 15 kB. A number below 64 has a bucket of its own; of a larger one its bucket tells the number but for
// 1/64 of it. Count, sum, least and greatest are exact; a count or a sum that 64 bits cannot say stays the largest one.
// Recording and merging take values in any order: the result is the same.
// Thread safety: a value like a std::vector. Source of the idea: Gil Tene's HdrHistogram.
class distribution {
 public:
  // How far a quantile may be from the value that was recorded, as a part of that.
  static constexpr double relative_error = 1.0 / 64;

  distribution() : buckets_(bucket_count) {}  // throws std::bad_alloc

  // Counts the value.
  void record(std::uint64_t value) noexcept {
    std::uint64_t& b = buckets_[bucket_of(value)];
    b = sum_of(b, 1);
    count_ = sum_of(count_, 1);
    sum_ = sum_of(sum_, value);
    min_ = (std::min)(min_, value);
    max_ = (std::max)(max_, value);
  }
  // Counts all that the other has counted.
  void merge(const distribution& other) noexcept {
    for (std::size_t i = 0; i != buckets_.size(); ++i) buckets_[i] = sum_of(buckets_[i], other.buckets_[i]);
    count_ = sum_of(count_, other.count_);
    sum_ = sum_of(sum_, other.sum_);
    min_ = (std::min)(min_, other.min_);
    max_ = (std::max)(max_, other.max_);
  }

  [[nodiscard]] std::uint64_t count() const noexcept { return count_; }
  [[nodiscard]] std::uint64_t sum() const noexcept { return sum_; }
  // These four are 0 when nothing was recorded.
  [[nodiscard]] std::uint64_t min() const noexcept { return count_ == 0 ? 0 : min_; }
  [[nodiscard]] std::uint64_t max() const noexcept { return max_; }
  [[nodiscard]] double mean() const noexcept {
    return count_ == 0 ? 0 : static_cast<double>(sum_) / static_cast<double>(count_);
  }
  // The value that so large a part of all does not exceed: 0.5 is the median, 0 the least, 1 the greatest. Throws
  // usage_error for a part that is not between 0 and 1.
  [[nodiscard]] std::uint64_t quantile(double part) const {
    if (!detail::is_number(part) || !(part >= 0 && part <= 1))
      throw usage_error("tact::distribution: the part of a quantile is between 0 and 1");
    const double rank = std::ceil(part * static_cast<double>(count_));
    std::uint64_t seen = 0;
    for (std::size_t i = 0; i != buckets_.size(); ++i) {
      seen = sum_of(seen, buckets_[i]);
      if (buckets_[i] != 0 && static_cast<double>(seen) >= rank) return (std::clamp)(middle_of(i), min(), max_);
    }
    return max_;
  }

  friend bool operator==(const distribution&, const distribution&) = default;

 private:
  static constexpr unsigned split_bits = 5;  // 32 buckets for each power of two
  static constexpr std::size_t split = std::size_t{1} << split_bits;
  static constexpr std::size_t bucket_count = split * (64 - split_bits + 1);

  static constexpr std::uint64_t sum_of(std::uint64_t a, std::uint64_t b) noexcept {
    constexpr std::uint64_t most = (std::numeric_limits<std::uint64_t>::max)();
    return b > most - a ? most : a + b;
  }
  static constexpr std::size_t bucket_of(std::uint64_t value) noexcept {
    if (value < split) return static_cast<std::size_t>(value);
    const auto shift = static_cast<unsigned>(std::bit_width(value)) - split_bits - 1;
    return split * shift + static_cast<std::size_t>(value >> shift);
  }
  static constexpr std::uint64_t middle_of(std::size_t bucket) noexcept {
    if (bucket < split) return bucket;
    const auto shift = static_cast<unsigned>(bucket / split) - 1;
    const std::uint64_t width = std::uint64_t{1} << shift;
    return (static_cast<std::uint64_t>(split + bucket % split) << shift) + width / 2;
  }

  std::vector<std::uint64_t> buckets_;
  std::uint64_t count_ = 0;
  std::uint64_t sum_ = 0;
  std::uint64_t min_ = (std::numeric_limits<std::uint64_t>::max)();
  std::uint64_t max_ = 0;
};
// Prints "1000 values, 3 to 812, mean 47.3; half up to 40, 90 % up to 99, 99 % up to 402".
std::ostream& operator<<(std::ostream&, const distribution&);

}  // namespace tact

#include "tact/detail/end.hpp"  // last
