// The core's own messages: orders and notices, which it tells by their types.
#pragma once

#include <memory>
#include <string>

#include "actors/common/names.hpp"
#include "mailbox/envelope.hpp"
#include "tact/detail/core.hpp"
#include "tact/ended.hpp"

namespace tact::actors {

// The type of the message that tells a customer of a failure.
extern const message_type failure_message;

}  // namespace tact::actors

namespace tact::actors {

// The payload of an order of the core's own to end an actor. What a user sends is a tact::poison_pill.
struct end_order {
  // Copies the text; without memory the order has none.
  end_order(ending e, const std::string* text) noexcept : how(e), what(copy_of(text)) {}
  ending how;
  std::unique_ptr<std::string> what;  // the text of the exception by which the actor failed

 private:
  static std::unique_ptr<std::string> copy_of(const std::string* text) noexcept;
};
extern const detail::message_type pill_message;
[[nodiscard]] bool is_pill(const mailbox::envelope& e) noexcept;
// How the pill ends its actor, whether the core or a user has sent it.
[[nodiscard]] ending ending_of_pill(mailbox::envelope& e) noexcept;
// The text in the pill; null if it has none.
[[nodiscard]] const std::string* text_of_pill(mailbox::envelope& e) noexcept;

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

}  // namespace tact::actors
