// Words that several runs share.
#pragma once

#include <atomic>
#include <cstdint>

#include "tact/detail/counted.hpp"

namespace tact::detail {

// Counts from 0. Copies count together. Thread safety: any thread, concurrently.
class shared_counter {
 public:
  shared_counter() : count_(counted<std::atomic<std::uint64_t>>::make()) {}
  [[nodiscard]] std::uint64_t next() const noexcept { return count_->fetch_add(1); }

 private:
  counted<std::atomic<std::uint64_t>> count_;
};

// Is set once, and seen by all copies at once. Thread safety: any thread, concurrently.
class shared_flag {
 public:
  shared_flag() : is_set_(counted<std::atomic<bool>>::make()) {}
  void set() const noexcept { is_set_->store(true); }
  [[nodiscard]] bool is_set() const noexcept { return is_set_->load(); }

 private:
  counted<std::atomic<bool>> is_set_;
};

}  // namespace tact::detail
