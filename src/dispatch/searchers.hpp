// The idle workers that look for somebody to steal from: few at a time. Protocol page: docs/protocols/idling.md.
#pragma once

#include <cstdint>

#include "sync/policy.hpp"

namespace tact::dispatch {

// Thread safety: any thread. Invariants: (1) never more than `max` are inside, as that was when the last of them came;
// (2) of those that leave, the one that leaves nobody behind is told so; then it is up to that one to wake another when
// there is more to find.
template <class Sync>
class searchers {
 public:
  explicit searchers(unsigned max) noexcept : max_(max) {}

  // False: enough others are at it.
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
  // True: nobody is inside any more.
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
