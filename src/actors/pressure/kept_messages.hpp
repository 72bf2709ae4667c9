// The messages of a mailbox that drops its oldest when it is full, or that has an order. They lie here; the shard has
// tokens for them. Protocol page: docs/protocols/pressure.md.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "actors/pressure/ranked_messages.hpp"
#include "base/block_queue.hpp"
#include "mailbox/out_of_line_body.hpp"
#include "sync/lock.hpp"
#include "tact/detail/mailbox_order.hpp"
#include "tact/mailbox_limit.hpp"

namespace tact::actors {

// A token stands for the message that is the first at the moment when the token is dispatched: the oldest, or with an
// order the one of the smallest rank. When a message is dropped its token stays, and serves another one. So neither
// messages nor tokens pile up behind a slow handler.
// Thread safety: any thread.
// Invariant: while the mailbox is open, at least as many tokens are on their way as messages lie here.
class kept_messages {
 public:
  struct kept {
    detail::port to = 0;  // 0: no message
    const detail::message_type* type = nullptr;
    mailbox::out_of_line_body* body = nullptr;

    // The message itself, behind the box or reference if there is one.
    [[nodiscard]] const void* message() const noexcept;
    // The handler that waits for the answer to this request; 0: there is none.
    [[nodiscard]] detail::port customer_that_waits() const noexcept;
  };

  // Opens the mailbox for a new actor. Messages beyond `most` are dropped. REQUIRES: it is closed.
  void open(detail::port whose, const mailbox_limit& most, detail::mailbox_order&& order) noexcept;
  // From now on add takes no message.
  void close() noexcept;
  // After close: takes out one message that is left, the first of them first. None: no message is left.
  [[nodiscard]] std::optional<kept> take_left() noexcept;

  // The rank of the message in the mailbox of its actor. Calls the user's function.
  [[nodiscard]] std::int64_t rank_of(const kept& message) const noexcept;

  enum class outcome : unsigned char {
    closed,      // the actor has ended; the message is still the caller's
    made_room,   // `dropped` is the caller's, and so is the new message still: try again
    too_low,     // the mailbox is full of messages that come before this one, or before an order to end the actor which
                 // this one is behind; it is still the caller's
    added,       // there are tokens enough
    with_token,  // added, and the caller must send a token
  };
  // Adds a message of this rank behind all others, or behind those of the same rank. `dropped`: becomes the message
  // that had to go, if one had to: the oldest, with an order the oldest of those with the greatest rank. Throws
  // std::bad_alloc, except while a base::may_use_reserve lives; then nothing has changed.
  [[nodiscard]] outcome add(const kept& message, std::int64_t rank, kept& dropped);
  // Takes out the first message for a token that has arrived. None: the token was one too many, or its actor has
  // ended.
  [[nodiscard]] std::optional<kept> redeem(detail::port token) noexcept;
  // Takes out the first order to end the actor, for a token that finds the actor at rest, before the messages that came
  // before the order. None: there is no such order, and the token still stands for a message.
  [[nodiscard]] std::optional<kept> redeem_end(detail::port token) noexcept;

  // -- for the search for circles: see wait_circles
  // The handlers that wait for the answer to a request that lies here. Throws std::bad_alloc.
  [[nodiscard]] std::vector<detail::port> customers_that_wait(detail::port token) const;
  // Takes out the request of that customer. None: it lies here no more.
  [[nodiscard]] std::optional<kept> take_request(detail::port token, detail::port customer) noexcept;

 private:
  using inside = sync::locked<sync::lock<sync::real>>;

  [[nodiscard]] bool fits(std::uint64_t bytes) const noexcept;
  [[nodiscard]] std::size_t size() const noexcept { return in_turn_.size() + ranked_.size(); }
  [[nodiscard]] detail::mailbox_order order_for(detail::port to) const noexcept;
  outcome make_room(std::int64_t rank, kept& dropped) noexcept;
  void push(const kept& message, std::int64_t rank);
  kept pop() noexcept;
  template <class IsMeant>
  [[nodiscard]] bool try_pop_in_turn(IsMeant is_meant, kept& taken) noexcept;
  void leave(const kept& message) noexcept;

  mutable sync::lock<sync::real> lock_;
  // Guarded by lock_.
  detail::port whose_ = 0;  // with index 0; 0: the mailbox is closed
  mailbox_limit most_;
  detail::mailbox_order order_;
  std::uint64_t counted_ = 0;  // messages here that are no orders to end the actor
  std::uint64_t bytes_ = 0;    // theirs
  std::uint64_t tokens_ = 0;
  base::block_queue<kept> in_turn_;  // without an order
  ranked_messages<kept> ranked_;     // with one
};

}  // namespace tact::actors
