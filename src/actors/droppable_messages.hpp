// The messages of a mailbox that drops its oldest when it is full. They lie here; the shard has tokens for them.
// Protocol page: docs/protocols/pressure.md.
#pragma once

#include <cstdint>
#include <optional>

#include "base/block_queue.hpp"
#include "mailbox/out_of_line_body.hpp"
#include "sync/lock.hpp"
#include "tact/mailbox_limit.hpp"

namespace tact::actors {

// A token stands for the message that is the oldest at the moment when the token is dispatched. When a message is
// dropped its token stays, and serves another one. So neither messages nor tokens pile up behind a slow handler.
// Thread safety: any thread.
// Invariant: while the mailbox is open, at least as many tokens are on their way as messages lie here.
class droppable_messages {
 public:
  struct droppable {
    detail::port to = 0;  // 0: no message
    const detail::message_type* type = nullptr;
    mailbox::out_of_line_body* body = nullptr;
  };

  // Opens the mailbox for a new actor. REQUIRES: it is closed.
  void open(detail::port whose, const mailbox_limit& most) noexcept;
  // From now on add takes no message.
  void close() noexcept;
  // After close: takes out one message that is left, the oldest first. None: no message is left.
  [[nodiscard]] std::optional<droppable> take_left() noexcept;

  enum class outcome : unsigned char {
    closed,      // the actor has ended; the message is still the caller's
    made_room,   // `dropped` is the caller's, and so is the new message still: try again
    added,       // there are tokens enough
    with_token,  // added, and the caller must send a token
  };
  // Adds a message behind all others. `dropped`: becomes the oldest message, if that had to go. Throws std::bad_alloc,
  // except while a base::may_use_reserve lives; then nothing has changed.
  [[nodiscard]] outcome add(const droppable& message, droppable& dropped);
  // Takes out the oldest message for a token that has arrived. None: the token was one too many, or its actor has
  // ended.
  [[nodiscard]] std::optional<droppable> redeem(detail::port token) noexcept;

 private:
  using inside = sync::locked<sync::lock<sync::real>>;

  [[nodiscard]] bool fits(std::uint64_t bytes) const noexcept;
  droppable pop() noexcept;

  sync::lock<sync::real> lock_;
  // Guarded by lock_.
  detail::port whose_ = 0;  // with index 0; 0: the mailbox is closed
  mailbox_limit most_;
  std::uint64_t bytes_ = 0;
  std::uint64_t tokens_ = 0;
  base::block_queue<droppable> all_;
};

}  // namespace tact::actors
