// What customers of requests are told when no handler will answer. Where a request fails:
//
//   its handler throws, or returns without an answer    run/committer: tell_customer, and core_sender::pay_debt
//   its target has ended, or its mailbox is full        late_sends::drop in a run, burial from a thread outside
//   its time limit passes                               a timer that api/timers.cpp sets; timers::fire_once sends it
//   a flag of its context is set                        time/cancelled_asks
//   the handler that waits for it is ended              run/parker
//   the engine ends                                     engine/sweep
#pragma once

#include "mailbox/envelope.hpp"
#include "tact/detail/core.hpp"
#include "tact/failure.hpp"

namespace tact::actors {

// The customer of the request in this envelope; 0 if the message is no request, or one without a customer.
[[nodiscard]] detail::port customer_of(mailbox::envelope& e) noexcept;
// The same, if it is told of one answer only, and was told of none yet.
[[nodiscard]] detail::port open_customer_of(mailbox::envelope& e) noexcept;

// A failure that says that a request will not be answered, for this reason, in the words of the reason or in `words`.
// Without memory the words are missing.
[[nodiscard]] failure notice_of(failure_reason reason) noexcept;
[[nodiscard]] failure notice_of(failure_reason reason, const char* words) noexcept;
// The failure that says that no handler will get a request to `to`; in the words of the pill if one has ended that
// actor.
[[nodiscard]] failure notice_of_burial(detail::port to, failure_reason reason) noexcept;
// Tells a customer of a failure from outside of a run. The customer may live in any engine.
void tell_outside(detail::port customer, failure&& f) noexcept;

// The reason why a message for this port is a dead letter. REQUIRES: the port is not current any more.
[[nodiscard]] failure_reason why_gone(detail::port p) noexcept;

// Is it an answer that the actor handles itself which has asked?
[[nodiscard]] bool is_own_answer(const mailbox::envelope& e) noexcept;

}  // namespace tact::actors
