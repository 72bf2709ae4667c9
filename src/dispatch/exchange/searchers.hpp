// Counts the idle workers that search for a victim, and keeps them few. Protocol page: docs/protocols/idling.md.
#pragma once

#include <cstdint>

#include "sync/policy.hpp"

namespace tact::dispatch {

// Thread safety: any thread. Invariants: (1) when a searcher enters, no more than `max` are inside, itself included;
// (2) the searcher that leaves last is told that no other is inside. Only that one wakes another worker, when there is
// more to steal.
template <class Sync>
class searchers {
 public:
  explicit searchers(unsigned max) noexcept : max_(max) {}

  // False: enough other workers search.
  [[nodiscard]] bool try_enter() noexcept {
    std::uint32_t seen = inside_.load();
    do {
      if (seen >= max()) return false;
      if (Sync::planted(sync::fault::searchers_not_bounded)) {
        inside_.fetch_add(1);
        return true;
      }
    } while (!inside_.compare_exchange_weak(seen, seen + 1));
    return true;
  }
  // True: no searcher is inside any more.
  [[nodiscard]] bool leave() noexcept {
    if (Sync::planted(sync::fault::last_one_unaware)) {
      const bool last = inside_.load() == 1;
      inside_.fetch_sub(1);
      return last;
    }
    return inside_.fetch_sub(1) == 1;
  }
  [[nodiscard]] std::uint32_t count() const noexcept { return inside_.load(); }
  [[nodiscard]] std::uint32_t max() const noexcept { return max_.load(); }
  void set_max(std::uint32_t max) noexcept { max_.store(max); }

 private:
  sync::real::atomic<std::uint32_t> max_;  // changes when the number of workers does
  alignas(64) typename Sync::template atomic<std::uint32_t> inside_{0};
};

}  // namespace tact::dispatch
