// The shards that are reserved for heavy actors: which of them are free.
#pragma once

#include <cstdint>
#include <mutex>
#include <numeric>
#include <optional>
#include <vector>

#include "sync/policy.hpp"

namespace tact::dispatch {

// Thread safety: any thread. Invariant: the number of each such shard is either in this list, or in use by one actor.
class shard_reserve {
 public:
  shard_reserve(std::uint32_t first, std::uint32_t count) : free_(count) {
    std::iota(free_.rbegin(), free_.rend(), first);
  }

  // None: all are in use.
  [[nodiscard]] std::optional<std::uint32_t> take() {
    const std::lock_guard lock(mutex_);
    if (free_.empty()) return {};
    const std::uint32_t number = free_.back();
    free_.pop_back();
    return number;
  }
  void give(std::uint32_t number) noexcept {
    const std::lock_guard lock(mutex_);
    free_.push_back(number);  // has room: it was here at the beginning
  }

 private:
  sync::real::mutex mutex_;
  std::vector<std::uint32_t> free_;
};

}  // namespace tact::dispatch
