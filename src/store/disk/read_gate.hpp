// Lets readers in, and shuts them out while the map of the file changes. The protocol: docs/protocols/read_gate.md.
#pragma once

#include <algorithm>
#include <array>

#include "sync/rundown.hpp"

namespace tact::lmdb {

// Readers are counted in stripes, so that two of them seldom write to one line of the cache.
// Thread safety: any thread; close and open: one thread at a time.
template <class Sync>
class read_gate {
 public:
  static constexpr unsigned stripe_count = 16;

  // False: it is closed, and the caller is not inside.
  [[nodiscard]] bool try_enter(unsigned stripe) noexcept {
    return stripes_[stripe].inside.try_enter([this] { return is_closed(); });
  }
  void leave(unsigned stripe) noexcept { stripes_[stripe].inside.leave(); }

  // No reader enters any more. When no reader is inside, and the gate is not opened, none will be.
  void close() noexcept { closed_.store(true); }
  void open() noexcept { closed_.store(false); }
  [[nodiscard]] bool is_closed() const noexcept { return closed_.load(); }
  [[nodiscard]] bool is_empty() const noexcept {
    return std::all_of(stripes_.begin(), stripes_.end(), [](const stripe& s) { return s.inside.is_empty(); });
  }

 private:
  static constexpr std::size_t line_bytes = 64;
  struct alignas(line_bytes) stripe {
    sync::rundown<Sync> inside;
  };

  std::array<stripe, stripe_count> stripes_{};
  typename Sync::template atomic<bool> closed_{false};
};

}  // namespace tact::lmdb
