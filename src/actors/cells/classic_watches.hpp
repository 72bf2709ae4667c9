// The watches over classic actors that have not ended: see idle_watch.
#pragma once

#include "sync/lock.hpp"
#include "sync/policy.hpp"

namespace tact::actors {

class idle_watch;

// The end of the engine must not look at the object of a classic actor, which its owner may have destroyed before, and
// so does not find the watch there. Invariant: the share of a watch in this list is not given up yet.
// Thread safety: any thread.
class classic_watches {
 public:
  classic_watches() = default;
  classic_watches(const classic_watches&) = delete;
  classic_watches& operator=(const classic_watches&) = delete;

  void add(idle_watch& w) noexcept;
  // REQUIRES: it is one of them.
  void remove(idle_watch& w) noexcept;
  // Gives up all shares. REQUIRES: no worker is left, and the actors have ended.
  void end_all() noexcept;

 private:
  sync::lock<sync::real> lock_;
  idle_watch* first_ = nullptr;
};

}  // namespace tact::actors
