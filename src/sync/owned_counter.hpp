// A counter that one thread advances and others read.
#pragma once

#include <cstdint>

#include "sync/policy.hpp"

namespace tact::sync {

class owned_counter {
 public:
  // Only the owner may call this.
  void add(std::uint64_t n) noexcept {
    // relaxed: owner-only read of its own last store; counter for the others.
    value_.store(value_.load(std::memory_order_relaxed) + n, std::memory_order_relaxed);
  }
  // relaxed: counter, published with whatever its readers wait for.
  void set(std::uint64_t n) noexcept { value_.store(n, std::memory_order_relaxed); }
  // relaxed: counter, published with whatever its readers wait for.
  [[nodiscard]] std::uint64_t read() const noexcept { return value_.load(std::memory_order_relaxed); }

 private:
  atomic<std::uint64_t> value_{0};
};

}  // namespace tact::sync
