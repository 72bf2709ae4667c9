// recent_times: when something has happened lately, oldest first.
#pragma once

#include <chrono>
#include <cstddef>
#include <new>
#include <vector>

namespace tact::detail {

// Each call takes constant time, on average. Thread safety: none.
class recent_times {
 public:
  using time = std::chrono::steady_clock::time_point;

  // There is memory for so many from the beginning.
  explicit recent_times(std::size_t expected) { all_.reserve(expected); }
  [[nodiscard]] std::size_t size() const noexcept { return all_.size() - first_; }
  // REQUIRES: not before one that was added already. Without memory for one more the oldest one is forgotten.
  void add(time t) noexcept {
    if (all_.size() == all_.capacity()) make_room();
    all_.push_back(t);
  }
  // Forgets those up to this time, it included.
  void forget_until(time t) noexcept {
    while (first_ != all_.size() && all_[first_] <= t) ++first_;
  }
  void clear() noexcept {
    all_.clear();
    first_ = 0;
  }

 private:
  void make_room() noexcept {
    if (first_ * 2 < all_.size()) {
      try {
        return all_.reserve(2 * all_.size() + 1);
      } catch (const std::bad_alloc&) {
        if (first_ == 0) ++first_;
      }
    }
    all_.erase(all_.begin(), all_.begin() + static_cast<std::ptrdiff_t>(first_));
    first_ = 0;
  }

  std::vector<time> all_{};
  std::size_t first_ = 0;  // those before it are forgotten
};

}  // namespace tact::detail
