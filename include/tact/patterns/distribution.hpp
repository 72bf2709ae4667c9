// tact::distribution: how often which values came, in fixed memory.
#include "tact/detail/begin.hpp"  // first
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <limits>
#include <vector>

#include "tact/detail/deadline.hpp"
#include "tact/failure.hpp"
#include "tact/patterns/detail/value_buckets.hpp"

namespace tact {

namespace inspect {
class shared_distribution;
}

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

  distribution() : buckets_(detail::value_buckets::count) {}  // throws std::bad_alloc

  // Counts the value.
  void record(std::uint64_t value) noexcept { record_times(value, 1); }
  // Counts the value so many times.
  void record_times(std::uint64_t value, std::uint64_t times) noexcept {
    if (times == 0) return;
    std::uint64_t& b = buckets_[detail::value_buckets::index_of(value)];
    b = sum_of(b, times);
    count_ = sum_of(count_, times);
    sum_ = sum_of(sum_, detail::value_buckets::product_of(value, times));
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
    return value_at(part);
  }
  // The same as quantile(0.5).
  [[nodiscard]] std::uint64_t median() const noexcept { return value_at(0.5); }
  // The median of how far the values are from their median, as exact as the buckets that they are in: so some values
  // far away change nothing. 0 when nothing was recorded.
  [[nodiscard]] std::uint64_t median_deviation() const noexcept {
    const std::uint64_t middle = median();
    const std::uint64_t half = count_ / 2 + count_ % 2;
    // Buckets from the middle outwards, of the two next ones always the nearer one.
    std::size_t below = detail::value_buckets::index_of(middle) + 1;  // those before this one are to come
    std::size_t above = below;
    std::uint64_t seen = 0;
    std::uint64_t farthest = 0;
    while (seen < half) {
      while (below != 0 && buckets_[below - 1] == 0) --below;
      while (above != buckets_.size() && buckets_[above] == 0) ++above;
      const bool has_below = below != 0;
      const bool has_above = above != buckets_.size();
      if (!has_below && !has_above) break;  // the sums of counts are beyond 64 bits
      const std::uint64_t down = has_below ? middle - (std::min)(middle, value_of(below - 1)) : 0;
      const std::uint64_t up = has_above ? value_of(above) - middle : 0;
      const bool is_down = has_below && (!has_above || down <= up);
      farthest = is_down ? down : up;
      seen = sum_of(seen, buckets_[is_down ? --below : above++]);
    }
    return farthest;
  }
  // The standard deviation of a sample (n - 1), as exact as the buckets that the values are in. 0 for fewer than two
  // values.
  [[nodiscard]] double standard_deviation() const noexcept {
    if (count_ < 2) return 0;
    double sum = 0;
    for (std::size_t i = 0; i != buckets_.size(); ++i) sum += static_cast<double>(buckets_[i]) * told(i);
    const double middle = sum / static_cast<double>(count_);
    double squares = 0;
    for (std::size_t i = 0; i != buckets_.size(); ++i) {
      if (buckets_[i] != 0) squares += static_cast<double>(buckets_[i]) * (told(i) - middle) * (told(i) - middle);
    }
    return std::sqrt(squares / static_cast<double>(count_ - 1));
  }

  // So many values are between `least` and `greatest`.
  struct bucket {
    std::uint64_t least = 0;
    std::uint64_t greatest = 0;
    std::uint64_t count = 0;
  };
  // The buckets in which values are, from the least on. Throws std::bad_alloc.
  [[nodiscard]] std::vector<bucket> buckets() const {
    std::vector<bucket> all;
    for (std::size_t i = 0; i != buckets_.size(); ++i) {
      if (buckets_[i] == 0) continue;
      all.push_back({detail::value_buckets::least_of(i), detail::value_buckets::greatest_of(i), buckets_[i]});
    }
    return all;
  }
  // How many values lie in the bucket of `value` or below it. Up to 63, and for each number that is one less than a
  // power of two, this is exactly how many values do not exceed it.
  [[nodiscard]] std::uint64_t count_up_to(std::uint64_t value) const noexcept {
    std::uint64_t seen = 0;
    for (std::size_t i = 0; i <= detail::value_buckets::index_of(value); ++i) seen = sum_of(seen, buckets_[i]);
    return seen;
  }

  friend bool operator==(const distribution&, const distribution&) = default;

 private:
  friend class inspect::shared_distribution;

  static constexpr std::uint64_t sum_of(std::uint64_t a, std::uint64_t b) noexcept {
    return detail::value_buckets::sum_of(a, b);
  }
  // The number that is told for those in a bucket.
  [[nodiscard]] std::uint64_t value_of(std::size_t bucket) const noexcept {
    return (std::clamp)(detail::value_buckets::middle_of(bucket), min(), max_);
  }
  [[nodiscard]] double told(std::size_t bucket) const noexcept { return static_cast<double>(value_of(bucket)); }
  [[nodiscard]] std::uint64_t value_at(double part) const noexcept {
    const double rank = std::ceil(part * static_cast<double>(count_));
    std::uint64_t seen = 0;
    for (std::size_t i = 0; i != buckets_.size(); ++i) {
      seen = sum_of(seen, buckets_[i]);
      if (buckets_[i] != 0 && static_cast<double>(seen) >= rank) return value_of(i);
    }
    return max_;
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
