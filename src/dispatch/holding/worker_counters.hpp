// The counters of threads that run messages.
#pragma once

#include "sync/owned_counter.hpp"

namespace tact::dispatch {

// Counted by the worker, read by any thread.
struct theft_counters {
  sync::owned_counter steal_attempts;
  sync::owned_counter steals_without_candidate;  // no victim, nothing to steal there, or nothing to give for it
  sync::owned_counter steals_failed;             // another thread was faster in the swap
  sync::owned_counter shards_stolen;
  sync::owned_counter shards_returned;  // taken back by the worker with which they are at home
  sync::owned_counter messages_stolen;  // in stolen shards, at the first gulp after the theft
};

// Counted by the thread that runs messages, read by any thread.
struct worker_counters : theft_counters {
  sync::owned_counter gulps;
  sync::owned_counter gulped;
  sync::owned_counter missed_gulps;
  sync::owned_counter adoptions;  // shards and offices of other workers that this one has run, without waking them
  sync::owned_counter joins;      // shards that were joined to the one that is run
  sync::owned_counter parks;
  sync::owned_counter wakes;
};

}  // namespace tact::dispatch
