// tact::inspect::shared_distribution: a tact::distribution that others read while one thread records.
#include "tact/detail/begin.hpp"  // first
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "tact/inspect/detail/shared_counts.hpp"
#include "tact/patterns/distribution.hpp"

namespace tact::inspect {

// Counts in the buckets of a tact::distribution, without a lock and without a read-modify-write: so for some
// nanoseconds. It takes 15 kB. To count on several threads give each its own, and merge what is read of them.
// Thread safety: record by one thread at a time; read by any thread, concurrently.
class shared_distribution {
 public:
  shared_distribution() : counts_(std::make_unique<tact::detail::shared_counts>()) {}  // throws std::bad_alloc
  shared_distribution(const shared_distribution&) = delete;
  shared_distribution& operator=(const shared_distribution&) = delete;

  // Counts the value.
  void record(std::uint64_t value) noexcept { counts_->record(value); }

  // What was counted up to now. While the other thread records, a value that it records at the moment may be in the
  // sum, and in the least or the greatest, and not in the buckets yet. Throws std::bad_alloc.
  [[nodiscard]] distribution read() const {
    distribution made;
    for (std::size_t i = 0; i != made.buckets_.size(); ++i) {
      made.buckets_[i] = counts_->count_in(i);
      made.count_ = distribution::sum_of(made.count_, made.buckets_[i]);
    }
    if (made.count_ == 0) return made;
    made.sum_ = counts_->sum();
    made.min_ = counts_->min();
    made.max_ = counts_->max();
    return made;
  }

 private:
  const std::unique_ptr<tact::detail::shared_counts> counts_;
};

}  // namespace tact::inspect

#include "tact/detail/end.hpp"  // last
