// All patterns: parts of which programs with actors are put together. Each has a header of its own, and none of them is
// in tact.hpp. A part that is an actor takes every tag of a creation, unless its header says otherwise. With a
// tact::mailbox_limit only what programs send to it may be lost, and never what it tells itself: the end of a lease or
// of a turn, word of its monitors and timers, the answers to its own requests.
#include "tact/detail/begin.hpp"  // first
#pragma once

#include "tact/patterns/adapt.hpp"            // IWYU pragma: export
#include "tact/patterns/all_of.hpp"           // IWYU pragma: export
#include "tact/patterns/amb.hpp"              // IWYU pragma: export
#include "tact/patterns/ask_all.hpp"          // IWYU pragma: export
#include "tact/patterns/ask_each.hpp"         // IWYU pragma: export
#include "tact/patterns/ask_first.hpp"        // IWYU pragma: export
#include "tact/patterns/cache.hpp"            // IWYU pragma: export
#include "tact/patterns/circuit_breaker.hpp"  // IWYU pragma: export
#include "tact/patterns/constant.hpp"         // IWYU pragma: export
#include "tact/patterns/counter.hpp"          // IWYU pragma: export
#include "tact/patterns/debounce.hpp"         // IWYU pragma: export
#include "tact/patterns/distribution.hpp"     // IWYU pragma: export
#include "tact/patterns/eventual.hpp"         // IWYU pragma: export
#include "tact/patterns/first_of.hpp"         // IWYU pragma: export
#include "tact/patterns/give_back.hpp"        // IWYU pragma: export
#include "tact/patterns/handlers.hpp"         // IWYU pragma: export
#include "tact/patterns/histogram.hpp"        // IWYU pragma: export
#include "tact/patterns/idle_close.hpp"       // IWYU pragma: export
#include "tact/patterns/in_parallel.hpp"      // IWYU pragma: export
#include "tact/patterns/inlet.hpp"            // IWYU pragma: export
#include "tact/patterns/label.hpp"            // IWYU pragma: export
#include "tact/patterns/lazy.hpp"             // IWYU pragma: export
#include "tact/patterns/link.hpp"             // IWYU pragma: export
#include "tact/patterns/membrane.hpp"         // IWYU pragma: export
#include "tact/patterns/next_solution.hpp"    // IWYU pragma: export
#include "tact/patterns/observable.hpp"       // IWYU pragma: export
#include "tact/patterns/once.hpp"             // IWYU pragma: export
#include "tact/patterns/opening_gate.hpp"     // IWYU pragma: export
#include "tact/patterns/outcome.hpp"          // IWYU pragma: export
#include "tact/patterns/paced.hpp"            // IWYU pragma: export
#include "tact/patterns/pipe.hpp"             // IWYU pragma: export
#include "tact/patterns/pool.hpp"             // IWYU pragma: export
#include "tact/patterns/process_group.hpp"    // IWYU pragma: export
#include "tact/patterns/rate_gate.hpp"        // IWYU pragma: export
#include "tact/patterns/read_write_lock.hpp"  // IWYU pragma: export
#include "tact/patterns/registry.hpp"         // IWYU pragma: export
#include "tact/patterns/resequencer.hpp"      // IWYU pragma: export
#include "tact/patterns/retry.hpp"            // IWYU pragma: export
#include "tact/patterns/router.hpp"           // IWYU pragma: export
#include "tact/patterns/routing.hpp"          // IWYU pragma: export
#include "tact/patterns/scatter_gather.hpp"   // IWYU pragma: export
#include "tact/patterns/sequence.hpp"         // IWYU pragma: export
#include "tact/patterns/sink_pipe.hpp"        // IWYU pragma: export
#include "tact/patterns/stage.hpp"            // IWYU pragma: export
#include "tact/patterns/stash.hpp"            // IWYU pragma: export
#include "tact/patterns/state_machine.hpp"    // IWYU pragma: export
#include "tact/patterns/subscriber.hpp"       // IWYU pragma: export
#include "tact/patterns/supervision.hpp"      // IWYU pragma: export
#include "tact/patterns/supervisor.hpp"       // IWYU pragma: export
#include "tact/patterns/suspend.hpp"          // IWYU pragma: export
#include "tact/patterns/tee.hpp"              // IWYU pragma: export
#include "tact/patterns/throttle.hpp"         // IWYU pragma: export
#include "tact/patterns/ticket.hpp"           // IWYU pragma: export
#include "tact/patterns/timeout.hpp"          // IWYU pragma: export
#include "tact/patterns/topic.hpp"            // IWYU pragma: export
#include "tact/patterns/unwind_protect.hpp"   // IWYU pragma: export
#include "tact/patterns/value_of.hpp"         // IWYU pragma: export
#include "tact/patterns/with_file.hpp"        // IWYU pragma: export
#include "tact/patterns/work_queue.hpp"       // IWYU pragma: export

#include "tact/detail/end.hpp"  // last
