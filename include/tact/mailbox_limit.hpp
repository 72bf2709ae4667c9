// tact::mailbox_limit: how much may wait for one actor, and what becomes of what is too much.
#include "tact/detail/language.hpp"  // first
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace tact {

// What becomes of a message for a full mailbox. Whatever is lost is a dead letter (failure_reason::mailbox_full), and
// the customer of a request that is lost hears tact::failure with that reason.
enum class when_full : unsigned char {
  reject,       // it is lost; who sends by try_send or send_for hears it, and keeps the message
  drop_newest,  // it is lost
  drop_oldest,  // that which has waited longest is lost in its place
  hold_back,    // the thread that sends it waits for room; handlers, which never wait, send it all the same
};

// engine.create(open_account(), tact::mailbox_limit{.messages = 1000}): beside the placement, before the arguments of a
// spawned actor. A message counts from its send, or the commit of its run, until its handler begins. Orders to end an
// actor and failures do not count, and are never lost. docs/pressure.md.
struct mailbox_limit {
  std::uint64_t messages = 0;  // 0: any number
  // In the queue and in the library's boxes, without what a message only points to. One message may always wait,
  // however large it is. 0: any number.
  std::uint64_t bytes = 0;
  tact::when_full when_full = tact::when_full::reject;

  // Does it limit anything?
  explicit operator bool() const noexcept { return messages != 0 || bytes != 0; }
};

// What became of a message: see engine.try_send and engine.send_for.
enum class send_result : unsigned char {
  sent,
  full,          // there was no room, or not in time; the message was not sent
  dropped,       // it is a dead letter, as when_full::drop_newest says
  target_ended,  // it is a dead letter
  engine_ended,  // the same
};

// One mailbox that has a limit, at some moment: see engine.fullest_mailboxes.
struct mailbox_depth {
  std::string actor{};  // as a ref prints, behind the name if it has one; "threads outside" for what those have brought
  mailbox_limit limit{};
  std::uint64_t messages = 0;
  std::uint64_t bytes = 0;
  // The one that has waited longest came so long ago, or earlier. 0 when none waits.
  std::chrono::nanoseconds oldest{0};
  std::uint64_t refused = 0;  // messages lost for want of room, since the actor was made

  // 1: full. Above that, handlers went on sending to one that holds back.
  [[nodiscard]] double fill() const noexcept {
    const double of_messages = limit.messages == 0 ? 0 : double(messages) / double(limit.messages);
    const double of_bytes = limit.bytes == 0 ? 0 : double(bytes) / double(limit.bytes);
    return of_messages < of_bytes ? of_bytes : of_messages;
  }
};

}  // namespace tact
