// The messages of a mailbox that loses its oldest when it is full. They lie here, not in the shard, which has tokens.
#pragma once

#include <cstdint>
#include <optional>

#include "base/block_queue.hpp"
#include "mailbox/parcel.hpp"
#include "sync/lock.hpp"
#include "tact/mailbox_limit.hpp"

namespace tact::actors {

// A token stands for the message that is the oldest when it is dispatched, whichever that is by then. So a queue cannot
// grow behind a handler that takes long. Thread safety: any thread.
// Invariant: while it is open, as many tokens as there are messages here, or more, are on their way.
class kept_messages {
 public:
  struct kept {
    detail::port to = 0;  // 0: none
    const detail::message_type* type = nullptr;
    mailbox::parcel* body = nullptr;
  };

  // REQUIRES: it is closed.
  void open(detail::port whose, const mailbox_limit& most) noexcept;
  // Takes nothing any more.
  void close() noexcept;
  // What is left when it has been closed, one by one, the oldest first. None: that was all.
  [[nodiscard]] std::optional<kept> take_left() noexcept;

  enum class outcome : unsigned char {
    closed,      // the actor has ended; nothing was taken over
    made_room,   // the oldest is the caller's, and the new one still too: try again
    added,       // without another token
    with_token,  // and the caller sends a token
  };
  // Adds a message behind all others. `dropped`: the oldest, when that had to go. Throws std::bad_alloc, but while a
  // base::may_use_reserve lives; then nothing has changed.
  [[nodiscard]] outcome add(const kept& message, kept& dropped);
  // A token has arrived. None: it was one too many.
  [[nodiscard]] std::optional<kept> redeem(detail::port token) noexcept;

 private:
  using inside = sync::locked<sync::lock<sync::real>>;

  [[nodiscard]] bool fits(std::uint64_t bytes) const noexcept;
  kept pop() noexcept;

  sync::lock<sync::real> lock_;
  // Guarded by it.
  detail::port whose_ = 0;  // with index 0; 0: it is closed
  mailbox_limit most_;
  std::uint64_t bytes_ = 0;
  std::uint64_t tokens_ = 0;
  base::block_queue<kept> all_;
};

}  // namespace tact::actors
