// The handlers that wait for answers, and which of them can be answered only after another one: so that a circle of
// such waits is found. docs/protocols/parked_ask.md.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "actors/wait/lane_stack.hpp"
#include "sync/mutex.hpp"
#include "sync/system.hpp"
#include "tact/detail/core.hpp"

namespace tact::actors {

// Invariant: a wait names at most one other wait that must end before it, so a circle is found by following one path.
// Thread safety: any thread. All waits of an engine share one lock, hence this is for debugging only: for debug builds,
// and for simulations in every build, because a seed gives the same execution in all of them.
class wait_circles {
 public:
  [[nodiscard]] static bool are_known() noexcept {
#if defined(NDEBUG)
    return sync::director::current() != nullptr;
#else
    return true;
#endif
  }

  // A handler waits. If it owes an answer to a handler that waits itself, that one is answered later than this one.
  void begin(lane_stack& s) noexcept;
  void end(lane_stack& s) noexcept;
  // The request of `customer` is put aside until `s` goes on. Returns the circle that this closes, as "a -> b -> a";
  // empty if it closes none.
  [[nodiscard]] std::string put_off(detail::port customer, const lane_stack& s);
  // "a for b": so many of the actors that wait at most, and for whom; none where that is not known.
  [[nodiscard]] std::vector<std::string> describe_some(std::size_t most) const;

 private:
  // Ten handlers in a list when ten thousand wait; the table has 8 KiB, in the engines where circles are known.
  static constexpr std::size_t lists_count = 1024;
  using lists = std::array<lane_stack*, lists_count>;

  [[nodiscard]] lane_stack*& list_of(detail::port customer) noexcept;
  [[nodiscard]] lane_stack* find(detail::port customer) noexcept;

  mutable sync::mutex mutex_;
  const std::unique_ptr<lists> lists_ = are_known() ? std::make_unique<lists>() : nullptr;
};

}  // namespace tact::actors
