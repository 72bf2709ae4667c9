// tact::mailbox_limit: how many messages may wait for one actor, and what becomes of those that are too many.
#include "tact/detail/begin.hpp"  // first
#pragma once

#include <chrono>
#include <cstdint>
#include <iosfwd>
#include <string>

namespace tact {

// What becomes of a message for a full mailbox. A message that is lost is a dead letter (failure_reason::mailbox_full),
// and the customer of a request that is lost hears tact::failure with that reason.
enum class when_full : unsigned char {
  reject,       // it is lost; but try_send and send_for return `full`, and the sender keeps it
  drop_newest,  // it is lost
  drop_oldest,  // the message that has waited longest is lost in its place
  hold_back,    // the sending thread waits for room; a handler's message goes in beyond the limit
};
std::ostream& operator<<(std::ostream&, when_full);

// engine.create(open_account(), tact::mailbox_limit{.messages = 1000}): the limit stands beside the placement, before
// the arguments of a spawned actor. A message counts from its send, or from the commit of the run that sent it, until
// its handler begins. Orders to end an actor, failures, and what a part of tact/patterns tells itself do not count, and
// are never lost: so any part may have a limit. docs/pressure.md.
struct mailbox_limit {
  std::uint64_t messages = 0;  // 0: any number
  // Bytes in the queue and in the library's boxes, without memory to which a message only points. One message may
  // always wait, however large it is. 0: any number.
  std::uint64_t bytes = 0;
  tact::when_full when_full = tact::when_full::reject;

  // True when it limits anything.
  explicit operator bool() const noexcept { return messages != 0 || bytes != 0; }
};
std::ostream& operator<<(std::ostream&, const mailbox_limit&);

// What became of a message: see engine.try_send and engine.send_for.
enum class send_result : unsigned char {
  sent,
  full,          // there was no room, or not in time; the message was not sent
  dropped,       // it is a dead letter, as when_full::drop_newest says
  target_ended,  // it is a dead letter
  engine_ended,  // it is a dead letter, because the engine has ended
};
std::ostream& operator<<(std::ostream&, send_result);

// The state of one mailbox with a limit, at some moment: see engine.fullest_mailboxes.
struct mailbox_depth {
  std::string actor{};  // as a ref prints, behind the actor's name if any; "threads outside" for outside_limit
  mailbox_limit limit{};
  std::uint64_t messages = 0;
  std::uint64_t bytes = 0;
  // The message that has waited longest has waited at least so long. 0 when none waits.
  std::chrono::nanoseconds oldest{0};
  std::uint64_t refused = 0;  // messages lost for want of room, since the actor was made

  // How full the mailbox is: 1 is full; more than 1 says that handlers went on sending to a mailbox that holds back
  // threads.
  [[nodiscard]] double fill() const noexcept {
    const double of_messages = limit.messages == 0 ? 0 : double(messages) / double(limit.messages);
    const double of_bytes = limit.bytes == 0 ? 0 : double(bytes) / double(limit.bytes);
    return of_messages < of_bytes ? of_bytes : of_messages;
  }
};
// Prints "teller 3 (account@7f3a40#12): 12 of 1000 messages wait, the first for 3ms; 0 were refused".
std::ostream& operator<<(std::ostream&, const mailbox_depth&);

}  // namespace tact

#include "tact/detail/end.hpp"  // last
