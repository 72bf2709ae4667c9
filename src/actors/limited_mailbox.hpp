// What an actor with a limit has beside its cell; others have nothing of it.
#pragma once

#include "actors/cell_store.hpp"
#include "actors/kept_messages.hpp"
#include "actors/room.hpp"
#include "tact/mailbox_limit.hpp"

namespace tact::actors {

// Belongs to a cell from its first actor with a limit on, until the engine has ended: whoever has a message that is
// counted here may leave it here, whatever has become of the actor.
struct limited_mailbox {
  room<sync::real> space;
  kept_messages kept;  // of one that drops its oldest; else empty
  // Written before the actor exists; whoever sends to the one that was here before may still read it.
  sync::atomic<tact::when_full> when_full{tact::when_full::reject};

  // relaxed: hint, see above.
  [[nodiscard]] tact::when_full policy() const noexcept { return when_full.load(std::memory_order_relaxed); }
};

struct mailbox_table;

// The cell has one from now on. Throws std::bad_alloc.
void prepare_mailbox(cell& c);
// The actor that will be in the cell gets this limit. REQUIRES: prepare_mailbox; nobody else knows the cell.
void open_mailbox(cell& c, const mailbox_limit& most) noexcept;
// REQUIRES: prepare_mailbox.
[[nodiscard]] limited_mailbox& mailbox_of(const cell& c) noexcept;
// When the engine that has the slab has ended, and nothing of it is left.
void forget_mailboxes(cell_slab& slab) noexcept;

}  // namespace tact::actors
