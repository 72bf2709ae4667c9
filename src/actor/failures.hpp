// Small helpers around failure: texts of exceptions, reports, the core's own messages.
#pragma once

#include <string>

#include "mailbox/envelope.hpp"
#include "tact/detail/core.hpp"
#include "tact/engine_options.hpp"
#include "tact/failure.hpp"

namespace tact::actor {

// The what() of the exception being handled, or a sentence. REQUIRES: called in a catch block.
[[nodiscard]] std::string current_exception_text();

// Ends a closure: its destructor is the user's, and no part of a transaction.
void call_destructor(detail::closure& c, allocation how) noexcept;
inline void end_closure(detail::closure& c, allocation how) noexcept {
  if (c.type->plain_block != detail::large_block) return detail::free_pooled(&c, c.type->plain_block);
  call_destructor(c, how);
}

// Calls the user's handler, or prints one line on stderr.
void report_failure(const engine_options& options, const failure_report& report) noexcept;

// The same of a handler that did something else when it was run again.
void report_unrepeatable(const engine_options& options, const unrepeatable_handler& report) noexcept;

// An instruction to end an actor, from the core or as a poison pill of a user; its payload is an allocation state.
extern const detail::message_type pill_message;
[[nodiscard]] bool is_pill(const mailbox::envelope& e) noexcept;

// The customer of the request in this envelope, 0 if it is none.
[[nodiscard]] detail::port customer_of(mailbox::envelope& e) noexcept;

// Tells a customer, in whatever engine it lives, from outside of a run.
void tell_outside(detail::port customer, failure&& f) noexcept;

// Why a message for this port, which leads nowhere any more, is a dead letter.
[[nodiscard]] failure_reason why_gone(detail::port p) noexcept;

}  // namespace tact::actor
