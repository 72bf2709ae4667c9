// How long something takes, as measured lately.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

#include "sync/policy.hpp"

namespace tact::mailbox {

// A mean of measured times, in nanoseconds. The last measurement counts half, the one before a quarter, and so on.
// Thread safety: one thread at a time adds, any thread reads; what it reads is a hint.
class recent_ns {
 public:
  // 0: nothing was measured this time.
  void add(std::uint64_t measured) noexcept {
    if (measured == 0) return;
    const std::uint64_t before = read();
    const std::uint64_t now = before == 0 ? measured : (before + measured + 1) / 2;
    // relaxed: hint, nothing depends on it for correctness.
    ns_.store(static_cast<std::uint32_t>(std::min<std::uint64_t>(now, most)), std::memory_order_relaxed);
  }
  // 0: never measured.
  // relaxed: hint, nothing depends on it for correctness.
  [[nodiscard]] std::uint64_t read() const noexcept { return ns_.load(std::memory_order_relaxed); }

 private:
  static constexpr std::uint64_t most = std::numeric_limits<std::uint32_t>::max();
  sync::atomic<std::uint32_t> ns_{0};
};

}  // namespace tact::mailbox
