// How an actor sends itself a message that it handles before all that waits for it, and what runs before even that.
#pragma once

#include <utility>

#include "tact/detail/message_type.hpp"
#include "tact/detail/staged_send.hpp"

namespace tact::detail {

// Like stage, for a message to the actor that runs. If that is an exclusive actor, then the messages of one run that
// were staged by this call are handled next, in the order of the calls, before all that waits for the actor and
// whatever the order of its mailbox. For a parallel actor, of which nothing is before anything, this is stage.
[[nodiscard]] void* stage_in_front(run&, port to, const message_type&);

// Like stage, for the message to an actor that create_beside has made in this run, or from such an actor to the one
// that has made it. If that is exclusive, the message is handled next, behind the commit, on the thread that holds the
// shard of both; those of one run in their order.
[[nodiscard]] void* stage_effect(run&, port to, const message_type&);

// Sends a copy of `message` in the way of stage_in_front. REQUIRES: `to` is the actor that runs.
template <class M>
void send_in_front(run& r, port to, const M& message) {
  write_message<M>(message, [&](const message_type& type) { return stage_in_front(r, to, type); });
}

template <class M>
void send_effect(run& r, port to, const M& message) {
  write_message<M>(message, [&](const message_type& type) { return stage_effect(r, to, type); });
}

}  // namespace tact::detail
