// tact::ticket: what the holder of a lease gives back.
#include "tact/detail/begin.hpp"  // first
#pragma once

#include "tact/ref.hpp"

namespace tact {

// Ends a lease; it is sent to the lease's ticket.
struct give_back {};

// What a ticket office or a read_write_lock answers: engine.send(mine, tact::give_back{}) ends the lease. To have a
// ticket is to have the lease, and it may be handed on like any ref. Giving it back a second time, or too late, is a
// dead letter and does no harm.
using ticket = ref<give_back>;

}  // namespace tact

#include "tact/detail/end.hpp"  // last
