// The mailbox of an actor that has a limit. It lies apart from the cell, so that other actors do not pay for it.
// Protocol page: docs/protocols/pressure.md.
#pragma once

#include "actors/admission_counter.hpp"
#include "actors/cell_store.hpp"
#include "actors/droppable_messages.hpp"
#include "tact/mailbox_limit.hpp"

namespace tact::actors {

// It belongs to a cell from the cell's first actor with a limit on, until the engine has ended. So a message that was
// counted here can be taken out here later, whatever has become of its actor.
// Invariant: each message that has entered `space` leaves it once, when its handler begins or when it is buried.
struct limited_mailbox {
  admission_counter<sync::real> space;
  droppable_messages droppable;  // used with drop_oldest; else empty
  // Written before the actor exists. A thread that sends to an earlier actor of the cell may still read it.
  sync::atomic<tact::when_full> when_full{tact::when_full::reject};

  // relaxed: hint, see above.
  [[nodiscard]] tact::when_full policy() const noexcept { return when_full.load(std::memory_order_relaxed); }
};

struct mailbox_table;

// Makes a mailbox for the cell if it has none. Throws std::bad_alloc.
void prepare_mailbox(cell& c);
// Gives this limit to the actor that will be in the cell. REQUIRES: prepare_mailbox was called, and no other thread
// knows the actor's address yet.
void open_mailbox(cell& c, const mailbox_limit& most) noexcept;
// REQUIRES: prepare_mailbox was called.
[[nodiscard]] limited_mailbox& mailbox_of(const cell& c) noexcept;
// Destroys all mailboxes of the slab. REQUIRES: the engine that has the slab has ended, and no message of it is left.
void forget_mailboxes(cell_slab& slab) noexcept;

}  // namespace tact::actors
