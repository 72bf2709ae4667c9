// Small helpers around failure: texts of exceptions, reports, the core's own messages.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "mailbox/envelope.hpp"
#include "tact/detail/core.hpp"
#include "tact/ended.hpp"
#include "tact/engine_options.hpp"
#include "tact/failure.hpp"

namespace tact::actors {

// What the exception being handled says, with what is nested in it: all in one line, and one by one.
struct caught {
  std::string what;
  std::vector<std::string> causes;
};
// REQUIRES: called in a catch block. Without memory there is less of it.
[[nodiscard]] caught describe_exception() noexcept;
// The same for the report of a handler that threw.
[[nodiscard]] failure_report report_of(const caught& thrown, detail::port by, std::string_view actor,
                                       std::string_view message) noexcept;

// What the rule says; that the actor ends when it throws. REQUIRES: it says something.
[[nodiscard]] failure_policy decide(const failure_rule& rule, const failure_report& report) noexcept;

// Ends a closure: its destructor is the user's, and no part of a transaction.
void call_destructor(detail::closure& c, allocation how) noexcept;
inline void end_closure(detail::closure& c, allocation how) noexcept {
  if (c.type->plain_block != detail::large_block) return detail::free_pooled(&c, c.type->plain_block);
  call_destructor(c, how);
}

// An order to end an actor. A poison pill of a user is the same, but without the text.
struct end_order {
  // Without memory the text is missing.
  end_order(detail::ending e, const std::string* text) noexcept : how(e), what(copy_of(text)) {}
  detail::ending how;
  std::unique_ptr<std::string> what;  // of the exception by which it failed

 private:
  static std::unique_ptr<std::string> copy_of(const std::string* text) noexcept;
};
extern const detail::message_type pill_message;
[[nodiscard]] bool is_pill(const mailbox::envelope& e) noexcept;
// The text in it, null if there is none.
[[nodiscard]] const std::string* text_of_pill(mailbox::envelope& e) noexcept;

// An order to tell somebody of an actor's end: a pointer to a detail::watcher, null when it was taken.
extern const detail::message_type watch_message;
[[nodiscard]] bool is_watch(const mailbox::envelope& e) noexcept;
[[nodiscard]] detail::watcher& take_watcher(mailbox::envelope& e) noexcept;
void put_watcher(mailbox::envelope& e, detail::watcher& w) noexcept;

// What lies in the shard for a message that lies in its mailbox: see kept_messages.hpp.
extern const detail::message_type token_message;
[[nodiscard]] bool is_token(const mailbox::envelope& e) noexcept;

// An order of the core itself, which is no dead letter when its actor has ended.
[[nodiscard]] inline bool is_order(const detail::message_type& type) noexcept {
  return &type == &pill_message || &type == &watch_message;
}

// The customer of the request in this envelope, 0 if it is none.
[[nodiscard]] detail::port customer_of(mailbox::envelope& e) noexcept;

// That a request will not be answered, for this reason, in its own words or in these. Without memory they are missing.
[[nodiscard]] failure notice_of(failure_reason reason) noexcept;
[[nodiscard]] failure notice_of(failure_reason reason, const char* words) noexcept;
// Tells a customer, in whatever engine it lives, from outside of a run.
void tell_outside(detail::port customer, failure&& f) noexcept;

// Why a message for this port, which leads nowhere any more, is a dead letter.
[[nodiscard]] failure_reason why_gone(detail::port p) noexcept;

}  // namespace tact::actors
