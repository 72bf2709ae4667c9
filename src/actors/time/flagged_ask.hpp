// The two sides of an ask that a flag may end: the thread that asks, and the one that sets the flag.
#pragma once

#include "sync/policy.hpp"

namespace tact::actors {

// The thread that asks notes the timer of the ask with the flag, sets the timer, and looks at the flag behind that. The
// one that sets the flag does so first, and then takes what is noted. So one of the two at least sees the other, and
// tries to cancel the timer; which of them succeeds, the word of the timer says.
// Invariant: an ask whose flag is set has ended, by its answer or by one of the two, when both have returned.
// All operations are seq_cst: each side writes one place and reads the other. Thread safety: any thread.
// Protocol page: docs/protocols/ask_limit.md.
template <class Sync>
struct flagged_ask {
  // `take()` returns the timers that were noted, `end(timer)` ends the ask of one. False: the flag was set before.
  template <class Flag, class Take, class End>
  static bool set(Flag& flag, const Take& take, const End& end) {
    if (flag.exchange(true)) return false;
    for (const auto& noted : take()) end(noted);
    return true;
  }
  // Called when the timer has been noted and set. `is_set()` reads the flag, and all others of the context.
  template <class IsSet, class End>
  static void look(const IsSet& is_set, const End& end) {
    if (Sync::planted(sync::fault::flag_unlooked)) return;
    if (is_set()) end();
  }
};

}  // namespace tact::actors
