// The state of an exclusive actor that rests before it is made anew or goes on. docs/protocols/restart.md.
#pragma once

#include <cstdint>

#include "actors/cells/cell.hpp"
#include "mailbox/copy_queue.hpp"

namespace tact::actors {

// While the actor rests, its word says that it waits, and leads here. Thread safety: the holder of the actor's home
// shard only; when no worker is left, the thread that ends the engine.
struct resting : detail::closure {
  resting(cell::word_value before, bool anew, std::uint64_t n) noexcept;

  // Does a word that says that its actor waits lead to a record of this kind, or to the stack of a handler?
  [[nodiscard]] static bool is_behind(cell::word_value seen) noexcept;
  [[nodiscard]] static resting& behind(cell::word_value seen) noexcept {
    return static_cast<resting&>(*seen.closure());
  }

  // Frees this record. Returns the closure with which the actor would have gone on; null if it has none.
  detail::closure* end() noexcept;

  const cell::word_value was;     // before the rest; its closure is gone if makes_anew
  bool makes_anew;                // the actor is restarted when the rest is over; else it goes on
  const std::uint64_t number;     // of this rest; its timer brings it back
  mailbox::copy_queue put_aside;  // messages that came meanwhile, behind the one that is tried again
};

}  // namespace tact::actors
