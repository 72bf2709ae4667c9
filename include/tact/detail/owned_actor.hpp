// owned_actor: the share that all owners of one actor have in common, their number.
#pragma once

#include <atomic>
#include <cstdint>

#include "tact/detail/core.hpp"
#include "tact/detail/message_type.hpp"

namespace tact::detail {

// Sends the actor an order to end, unless it has ended. The order goes behind everything that the calling thread has
// sent before, or that the actor sends whose handler the thread runs, and leaves also if that run does not commit.
void end_owned(port) noexcept;

struct owned_actor {
  std::atomic<std::uint64_t> owners{1};
  port who = 0;

  void add() noexcept { owners.fetch_add(1); }
  void drop() noexcept {
    if (owners.fetch_sub(1) != 1) return;
    const port last = who;
    box<owned_actor>::end(this);
    end_owned(last);
  }
};

// Makes the first owner's share for an actor that is to be made of `first`. Throws std::bad_alloc; then it has ended
// the closure.
inline owned_actor& own(closure& first) {
  try {
    return *box<owned_actor>().release();
  } catch (...) {
    if (first.type->destroy != nullptr) first.type->destroy(first, allocation::finished);
    throw;
  }
}

}  // namespace tact::detail
