// All of tact, except what needs <future>: a program that calls engine.ask_future also includes tact/future.hpp, and
// one that calls engine.guard tact/guarded.hpp.
#include "tact/detail/begin.hpp"  // first
#pragma once

#include "tact/actor.hpp"           // IWYU pragma: export
#include "tact/alive_actors.hpp"    // IWYU pragma: export
#include "tact/allocation.hpp"      // IWYU pragma: export
#include "tact/behavior.hpp"        // IWYU pragma: export
#include "tact/context.hpp"         // IWYU pragma: export
#include "tact/creator.hpp"         // IWYU pragma: export
#include "tact/ended.hpp"           // IWYU pragma: export
#include "tact/engine.hpp"          // IWYU pragma: export
#include "tact/engine_options.hpp"  // IWYU pragma: export
#include "tact/failure.hpp"         // IWYU pragma: export
#include "tact/failure_rule.hpp"    // IWYU pragma: export
#include "tact/forwarder.hpp"       // IWYU pragma: export
#include "tact/helping.hpp"         // IWYU pragma: export
#include "tact/loop.hpp"            // IWYU pragma: export
#include "tact/mailbox_limit.hpp"   // IWYU pragma: export
#include "tact/mailbox_order.hpp"   // IWYU pragma: export
#include "tact/message.hpp"         // IWYU pragma: export
#include "tact/monitor.hpp"         // IWYU pragma: export
#include "tact/named.hpp"           // IWYU pragma: export
#include "tact/owner.hpp"           // IWYU pragma: export
#include "tact/placement.hpp"       // IWYU pragma: export
#include "tact/protocol.hpp"        // IWYU pragma: export
#include "tact/pumped.hpp"          // IWYU pragma: export
#include "tact/ref.hpp"             // IWYU pragma: export
#include "tact/request.hpp"         // IWYU pragma: export
#include "tact/restarting.hpp"      // IWYU pragma: export
#include "tact/scope.hpp"           // IWYU pragma: export
#include "tact/self.hpp"            // IWYU pragma: export
#include "tact/serializer.hpp"      // IWYU pragma: export
#include "tact/simulation.hpp"      // IWYU pragma: export
#include "tact/sink.hpp"            // IWYU pragma: export
#include "tact/statistics.hpp"      // IWYU pragma: export
#include "tact/stealing.hpp"        // IWYU pragma: export
#include "tact/timer.hpp"           // IWYU pragma: export
#include "tact/transaction.hpp"     // IWYU pragma: export

#include "tact/detail/end.hpp"  // last
