// The mailbox of an actor that has a limit, or an order. It lies apart from the cell, so that other actors do not pay
// for it. Protocol page: docs/protocols/pressure.md.
#pragma once

#include "actors/cells/cell_region.hpp"
#include "actors/pressure/admission_counter.hpp"
#include "actors/pressure/kept_messages.hpp"
#include "tact/mailbox_limit.hpp"

namespace tact::actors {

// It belongs to a cell from the cell's first actor with a limit or an order on, until the engine has ended. So a
// message that was counted here can be taken out here later, whatever has become of its actor. Invariant: each message
// that has entered `space` leaves it once, when its handler begins or when it is buried.
struct limited_mailbox {
  admission_counter<sync::real> space;
  kept_messages kept;  // used with drop_oldest, or with an order; else empty
  // Written before the actor exists. A thread that sends to an earlier actor of the cell may still read it.
  sync::atomic<tact::when_full> when_full{tact::when_full::reject};
  sync::atomic<bool> has_order{false};

  // relaxed: hint, see above.
  [[nodiscard]] tact::when_full policy() const noexcept { return when_full.load(std::memory_order_relaxed); }
  // relaxed: hint, see above.
  [[nodiscard]] bool is_ordered() const noexcept { return has_order.load(std::memory_order_relaxed); }
  // True: messages lie in `kept`.
  [[nodiscard]] bool keeps() const noexcept { return policy() == tact::when_full::drop_oldest || is_ordered(); }
  // Is it an order to end the actor, which has its place among the messages that lie in `kept`?
  [[nodiscard]] bool keeps_end(const detail::message_type& type) const noexcept {
    return type.role == detail::message_type::pill && keeps();
  }
};

// Makes a mailbox for the cell if it has none. Throws std::bad_alloc.
void prepare_mailbox(cell& c);
// Gives this limit and this order, of which one may be empty, to the actor that will be in the cell. REQUIRES:
// prepare_mailbox was called, and no other thread knows the actor's address yet.
void open_mailbox(cell& c, const mailbox_limit& most, detail::mailbox_order&& order) noexcept;
// REQUIRES: prepare_mailbox was called.
[[nodiscard]] limited_mailbox& mailbox_of(const cell& c) noexcept;

}  // namespace tact::actors
