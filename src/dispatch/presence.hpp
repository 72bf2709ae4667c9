// Who is in a part of the engine, and its end, which waits until nobody is. Protocol page: docs/protocols/helping.md.
#pragma once

#include <cstdint>

#include "sync/policy.hpp"

namespace tact::dispatch {

// Thread safety: any thread. Invariant: who has entered was counted before it looked whether the part stops, so who
// stops it, and looks at the count after that, waits for it.
template <class Sync>
class presence {
 public:
  // False: it stops, and the caller is not in; it notifies as if it had left, because it was counted for a moment.
  // `stops()` is a seq_cst look at what who stops it has written.
  template <class Stops>
  [[nodiscard]] bool enter(Stops stops) noexcept {
    if (Sync::planted(sync::fault::stop_looked_at_first)) {
      if (stops()) return false;
      inside_.fetch_add(1);
      return true;
    }
    inside_.fetch_add(1);
    if (!stops()) return true;
    leave();
    return false;
  }
  // The caller then notifies who may wait for the end.
  void leave() noexcept { inside_.fetch_sub(1); }
  [[nodiscard]] bool anybody() const noexcept { return inside_.load() != 0; }

 private:
  typename Sync::template atomic<std::uint32_t> inside_{0};
};

}  // namespace tact::dispatch
