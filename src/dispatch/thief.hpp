// The part of a worker that takes shards from other workers when it has nothing to do.
#pragma once

#include <cstdint>
#include <vector>

#include "dispatch/shard_table.hpp"
#include "mailbox/shard.hpp"
#include "sync/owned_counter.hpp"

namespace tact::dispatch {

class dispatcher;

// Counted by the worker, read by anybody.
struct theft_counters {
  sync::owned_counter steal_attempts;
  sync::owned_counter steals_without_candidate;  // no victim, nothing to steal there, or nothing to give for it
  sync::owned_counter steals_failed;             // the swap was lost to somebody faster
  sync::owned_counter shards_stolen;
  sync::owned_counter messages_stolen;  // found in the shard by the first gulp after that
};

// Thread safety: the worker's own thread.
class thief {
 public:
  thief(dispatcher& owner, unsigned index);

  // One victim, as the policy says, one scan of its shards, one swap.
  [[nodiscard]] theft<mailbox::shard> steal(theft_counters& counters);
  // Wakes the nearest worker that sleeps.
  void wake_another() noexcept;

 private:
  [[nodiscard]] theft<mailbox::shard> attempt();
  [[nodiscard]] std::uint64_t next_random() noexcept;

  dispatcher* const owner_;
  const unsigned index_;
  std::uint64_t random_;
  std::vector<std::uint64_t> stamps_;      // of all workers, as seen last
  std::vector<std::uint16_t> neighbours_;  // the other workers, nearest first
};

}  // namespace tact::dispatch
