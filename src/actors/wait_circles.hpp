// The handlers that wait for answers, and which of them can be answered only after another one: so that a circle of
// such waits is found. docs/protocols/parked_ask.md.
#pragma once

#include <array>
#include <cstddef>
#include <string>

#include "actors/lane_stack.hpp"
#include "sync/policy.hpp"
#include "tact/detail/core.hpp"

namespace tact::actors {

// Invariant: a wait names at most one other wait that must end before it, so a circle is found by following one path.
// Thread safety: any thread. All waits of an engine share one lock, hence this is for debugging only.
class wait_circles {
 public:
#if defined(NDEBUG)
  static constexpr bool are_known = false;
#else
  static constexpr bool are_known = true;
#endif

  // A handler waits. If it owes an answer to a handler that waits itself, that one is answered later than this one.
  void begin(lane_stack& s) noexcept;
  void end(lane_stack& s) noexcept;
  // The request of `customer` is put aside until `s` goes on. Returns the circle that this closes, as "a -> b -> a";
  // empty if it closes none.
  [[nodiscard]] std::string put_off(detail::port customer, const lane_stack& s);
  // " (a for b, c for b)": a few of the actors that wait, and for whom; empty where that is not known.
  [[nodiscard]] std::string list() const;

 private:
  static constexpr std::size_t lists_count = are_known ? 1024 : 1;

  [[nodiscard]] lane_stack*& list_of(detail::port customer) noexcept;
  [[nodiscard]] lane_stack* find(detail::port customer) noexcept;

  mutable sync::mutex mutex_;
  std::array<lane_stack*, lists_count> lists_{};
};

}  // namespace tact::actors
