// The part of a worker that takes shards from other workers when it has nothing to do.
#pragma once

#include <cstdint>
#include <vector>

#include "dispatch/shard_table.hpp"
#include "dispatch/worker_counters.hpp"
#include "mailbox/shard.hpp"
#include "sync/owned_counter.hpp"

namespace tact::dispatch {

class dispatcher;

// Thread safety: the worker's own thread.
class thief {
 public:
  thief(dispatcher& owner, unsigned index);

  // Tries one victim, which the policy chooses: one scan of its shards, and at most one swap.
  [[nodiscard]] theft<mailbox::shard> steal(theft_counters& counters);
  // Wakes the nearest worker that sleeps.
  void wake_another() noexcept;

 private:
  [[nodiscard]] theft<mailbox::shard> attempt();
  [[nodiscard]] std::uint64_t next_random() noexcept;

  dispatcher* const owner_;
  const unsigned index_;
  std::uint64_t random_;
  std::vector<std::uint64_t> stamps_;      // of all workers that run, as this one saw them last
  unsigned failures_ = 0;                  // attempts in a row that have brought nothing
  std::vector<std::uint8_t> distances_;    // to each worker that there may be
  std::vector<std::uint16_t> neighbours_;  // the other workers, nearest first
};

}  // namespace tact::dispatch
