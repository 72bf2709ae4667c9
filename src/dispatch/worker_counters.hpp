// What those who run messages count.
#pragma once

#include "sync/owned_counter.hpp"

namespace tact::dispatch {

// Counted by the worker, read by anybody.
struct theft_counters {
  sync::owned_counter steal_attempts;
  sync::owned_counter steals_without_candidate;  // no victim, nothing to steal there, or nothing to give for it
  sync::owned_counter steals_failed;             // the swap was lost to somebody faster
  sync::owned_counter shards_stolen;
  sync::owned_counter messages_stolen;  // found in the shard by the first gulp after that
};

// Counted by who runs messages, read by anybody.
struct worker_counters : theft_counters {
  sync::owned_counter gulps;
  sync::owned_counter gulped;
  sync::owned_counter missed_gulps;
  sync::owned_counter adoptions;  // shards and offices of other workers, run here instead of waking those
  sync::owned_counter joins;      // shards held beside the one that was run
  sync::owned_counter parks;
  sync::owned_counter wakes;
};

}  // namespace tact::dispatch
