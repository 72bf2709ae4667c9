// How far an engine has come to its end.
#pragma once

#include "sync/policy.hpp"

namespace tact::actors {

// Thread safety: any thread. Invariant: an engine that has ended is closed, and neither is taken back.
class phase {
 public:
  phase() = default;
  phase(const phase&) = delete;
  phase& operator=(const phase&) = delete;

  // Messages from outside are dead letters from now on.
  void close() noexcept { closed_.exchange(true); }
  [[nodiscard]] bool is_closed() const noexcept { return closed_.load(); }
  // No worker is left, and a handler that is run now cannot wait for an answer any more.
  void end() noexcept { no_workers_.exchange(true); }
  [[nodiscard]] bool has_ended() const noexcept { return no_workers_.load(); }

 private:
  sync::atomic<bool> closed_{false};  // set once
  // Set once, before the actors are swept. From then on the thread that buries a request tells the asker. A thread that
  // asked and still found false had counted its request before, so the sweep, which waits for quiet, finds its asker.
  sync::atomic<bool> no_workers_{false};
};

}  // namespace tact::actors
