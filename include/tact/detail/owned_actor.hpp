// What the owners of one actor share: how many of them there are.
#pragma once

#include <atomic>
#include <cstdint>

#include "tact/detail/core.hpp"
#include "tact/detail/message_type.hpp"

namespace tact::detail {

// Ends the actor, unless it has ended, behind everything that the calling thread has sent before, or the actor whose
// handler it runs: also if that run does not commit.
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

// For an actor that is to be made of that closure, which ends when there is no memory.
inline owned_actor& own(closure& first) {
  try {
    return *box<owned_actor>().release();
  } catch (...) {
    if (first.type->destroy != nullptr) first.type->destroy(first, allocation::finished);
    throw;
  }
}

}  // namespace tact::detail
