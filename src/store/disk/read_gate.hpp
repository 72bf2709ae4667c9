// Lets readers in, and shuts them out while the map of the file changes. The protocol: docs/protocols/read_gate.md.
#pragma once

#include <array>
#include <cstddef>

#include "sync/rundown.hpp"

namespace tact::lmdb {

// Readers are counted in stripes, so that two of them seldom write to one line of the cache.
// Thread safety: any thread; shut and open: one thread at a time.
template <class Sync, unsigned Stripes = 16>
class read_gate {
 public:
  static constexpr unsigned stripe_count = Stripes;

  // False: it is closed, and the caller is not inside.
  [[nodiscard]] bool try_enter(unsigned stripe) noexcept {
    return stripes_[stripe].inside.try_enter([this] { return is_closed(); });
  }
  void leave(unsigned stripe) noexcept { stripes_[stripe].inside.leave(); }

  // Closes it and waits until no reader is inside. `goes_on` is asked between two looks; it returns false to give up,
  // and then the gate is closed although readers are inside. False: given up.
  template <class GoesOn>
  [[nodiscard]] bool shut(GoesOn goes_on) noexcept {
    if (Sync::planted(sync::fault::gate_looked_at_first)) {
      const bool left = wait_empty(goes_on);
      closed_.store(true);
      return left;
    }
    closed_.store(true);
    return wait_empty(goes_on);
  }
  void open() noexcept { closed_.store(false); }
  [[nodiscard]] bool is_closed() const noexcept { return closed_.load(); }

 private:
  static constexpr std::size_t line_bytes = 64;
  struct alignas(line_bytes) stripe {
    sync::rundown<Sync> inside;
  };

  template <class GoesOn>
  bool wait_empty(GoesOn& goes_on) const noexcept {
    for (const stripe& s : stripes_) {
      while (!s.inside.is_empty()) {
        if (!goes_on()) return false;
      }
    }
    return true;
  }

  std::array<stripe, Stripes> stripes_{};
  typename Sync::template atomic<bool> closed_{false};
};

}  // namespace tact::lmdb
