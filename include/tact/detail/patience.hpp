// How threads outside send to mailboxes that have a limit.
#pragma once

#include "tact/detail/core.hpp"

namespace tact::detail {

// What a thread outside does when a mailbox has no room.
struct patience {
  bool waits = true;  // it waits for room if the policy is hold_back, until the deadline
  deadline until{};
  bool learns = false;  // the sender is told that there was no room, and keeps the message
};
// As send. When it returns `full` the payload is still the caller's. It does so only if `learns` is set, or if the
// deadline has passed.
[[nodiscard]] send_result send(core&, port to, const message_type&, void* payload, const patience&);

}  // namespace tact::detail
