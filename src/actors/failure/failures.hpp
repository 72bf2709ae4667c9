// What all of the engine needs around failures: texts of exceptions, reports, and the core's own messages.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "mailbox/envelope.hpp"
#include "tact/detail/core.hpp"
#include "tact/ended.hpp"
#include "tact/engine_options.hpp"
#include "tact/failure.hpp"

namespace tact::detail {

// The type of the message that tells a customer of a failure.
extern const message_type failure_message;

}  // namespace tact::detail

namespace tact::actors {

// The text of the exception that is being handled, with those nested in it: all in one line, and one by one.
struct caught {
  std::string what;
  std::vector<std::string> causes;
};
// REQUIRES: called in a catch block. Without memory there is less text.
[[nodiscard]] caught describe_exception() noexcept;
// The same for the report of a handler that threw.
[[nodiscard]] failure_report report_of(const caught& thrown, detail::port by, std::string_view actor,
                                       std::string_view message) noexcept;

// What the rule says. If the rule throws, the actor ends. REQUIRES: the rule is not empty.
[[nodiscard]] failure_verdict decide(const failure_rule& rule, const failure_report& report) noexcept;
// What becomes of the actor after a failure, as its own rule says, else that of its scope, else that of the engine.
[[nodiscard]] failure_verdict decide(detail::port p, detail::actor_kind kind, const engine_options& options,
                                     const failure_report& report) noexcept;

// Calls the destructor of a closure. It is the user's code, and no part of a transaction.
void call_destructor(detail::closure& c, allocation how) noexcept;
// Ends a closure. A plain one needs no destructor: its block is freed.
inline void end_closure(detail::closure& c, allocation how) noexcept {
  if (c.type->plain_block != detail::large_block) return detail::free_pooled(&c, c.type->plain_block);
  call_destructor(c, how);
}

// The payload of an order of the core's own to end an actor. What a user sends is a tact::poison_pill.
struct end_order {
  // Copies the text; without memory the order has none.
  end_order(detail::ending e, const std::string* text) noexcept : how(e), what(copy_of(text)) {}
  detail::ending how;
  std::unique_ptr<std::string> what;  // the text of the exception by which the actor failed

 private:
  static std::unique_ptr<std::string> copy_of(const std::string* text) noexcept;
};
extern const detail::message_type pill_message;
[[nodiscard]] bool is_pill(const mailbox::envelope& e) noexcept;
// How the pill ends its actor, whether the core or a user has sent it.
[[nodiscard]] detail::ending ending_of_pill(mailbox::envelope& e) noexcept;
// The text in the pill; null if it has none.
[[nodiscard]] const std::string* text_of_pill(mailbox::envelope& e) noexcept;

// Is it an answer that the actor handles itself which has asked?
[[nodiscard]] bool is_own_answer(const mailbox::envelope& e) noexcept;

// The type of an order to tell a watcher of an actor's end. The payload is a pointer to a detail::watcher, and null
// once the watcher was taken out.
extern const detail::message_type watch_message;
[[nodiscard]] bool is_watch(const mailbox::envelope& e) noexcept;
[[nodiscard]] detail::watcher& take_watcher(mailbox::envelope& e) noexcept;
void put_watcher(mailbox::envelope& e, detail::watcher& w) noexcept;
// The type of an order to forget a watcher. The payload is a pointer to it, and a share of it.
extern const detail::message_type forget_message;
[[nodiscard]] bool is_forget(const mailbox::envelope& e) noexcept;
[[nodiscard]] detail::watcher& watcher_to_forget(mailbox::envelope& e) noexcept;

// The type of a token, which lies in the shard for a message that lies in the mailbox itself: see
// kept_messages.hpp.
extern const detail::message_type token_message;
[[nodiscard]] bool is_token(const mailbox::envelope& e) noexcept;

// An order to restart an actor. `rest` is the number of the rest that it ends, if it is the timer of one; else 0, and
// then the actor rests for `after` first.
struct restart_order {
  std::int64_t after_ns;
  std::uint64_t rest;
};
extern const detail::message_type restart_message;
[[nodiscard]] bool is_restart_order(const mailbox::envelope& e) noexcept;

// An order to look whether an actor is idle: see idle_watch.
extern const detail::message_type idle_look_message;
[[nodiscard]] bool is_idle_look(const mailbox::envelope& e) noexcept;

// Is it an order of the core itself? Such an order is no dead letter when its actor has ended.
[[nodiscard]] inline bool is_order(const detail::message_type& type) noexcept {
  return &type == &pill_message || &type == &watch_message || &type == &forget_message || &type == &restart_message ||
         &type == &idle_look_message;
}

// The customer of the request in this envelope; 0 if the message is no request, or one without a customer.
[[nodiscard]] detail::port customer_of(mailbox::envelope& e) noexcept;

// A failure that says that a request will not be answered, for this reason, in the words of the reason or in `words`.
// Without memory the words are missing.
[[nodiscard]] failure notice_of(failure_reason reason) noexcept;
[[nodiscard]] failure notice_of(failure_reason reason, const char* words) noexcept;
// The same for a request to `to` that no handler will get: if a pill has ended that actor, in the words of the pill.
[[nodiscard]] failure notice_of_burial(detail::port to, failure_reason reason) noexcept;
// Tells a customer of a failure from outside of a run. The customer may live in any engine.
void tell_outside(detail::port customer, failure&& f) noexcept;

// The reason why a message for this port is a dead letter. REQUIRES: the port is not current any more.
[[nodiscard]] failure_reason why_gone(detail::port p) noexcept;

}  // namespace tact::actors
