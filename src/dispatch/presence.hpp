// Counts the threads that are in a part of the engine, whose end waits for them. Protocol page:
// docs/protocols/helping.md.
#pragma once

#include <cstdint>

#include "sync/policy.hpp"

namespace tact::dispatch {

// Thread safety: any thread. Invariant: a thread that has entered was counted before it looked whether the part stops.
// So the thread that stops the part, and looks at the count after that, sees it and waits for it.
template <class Sync>
class presence {
 public:
  // False: the part stops, and the caller is not in it. The caller then notifies as after leave, because it was counted
  // for a moment. `stops()` is a seq_cst load of what the thread that stops the part has written.
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
  // The caller then notifies the thread that may wait for the end.
  void leave() noexcept { inside_.fetch_sub(1); }
  [[nodiscard]] bool anybody() const noexcept { return inside_.load() != 0; }

 private:
  typename Sync::template atomic<std::uint32_t> inside_{0};
};

}  // namespace tact::dispatch
