// How threads outside send to mailboxes that have a limit.
#pragma once

#include "tact/detail/core.hpp"

namespace tact::detail {

// What a thread outside does about a mailbox that has no room.
struct patience {
  bool waits = true;  // where it holds back; until then:
  deadline until{};
  bool learns = false;  // that there was none, and keeps the message
};
// As send. `full`: the payload is still the caller's, which it is only when that learns, or when its time was over.
[[nodiscard]] send_result send(core&, port to, const message_type&, void* payload, const patience&);

}  // namespace tact::detail
