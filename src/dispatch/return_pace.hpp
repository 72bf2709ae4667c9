// How often a worker that has something to do looks for shards that should come home to it.
#pragma once

#include <algorithm>
#include <cstdint>

namespace tact::dispatch {

// To part costs some ten nanoseconds for each message that waits, and a shard that came home may be stolen again, where
// the load is uneven. So a worker that has brought shards home waits twice as long before it looks again, and one that
// has found none half as long. Thread safety: none.
class return_pace {
 public:
  // `handled`: how many messages the worker has run.
  [[nodiscard]] bool is_due(std::uint64_t handled) const noexcept { return handled - looked_at_ >= wait_; }
  // It has looked, and has brought some home, or none.
  void note(std::uint64_t handled, bool some) noexcept {
    looked_at_ = handled;
    wait_ = some ? std::min(2 * wait_, longest) : std::max(wait_ / 2, shortest);
  }

 private:
  static constexpr std::uint64_t shortest = 1 << 16;  // messages: a millisecond or more
  static constexpr std::uint64_t longest = 1 << 22;

  std::uint64_t wait_ = shortest;
  std::uint64_t looked_at_ = 0;
};

}  // namespace tact::dispatch
