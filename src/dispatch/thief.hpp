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
  sync::owned_counter steals_without_candidate;  // no victim, nothing that waits there, or nothing to give for it
  sync::owned_counter steals_failed;             // the swap was lost to somebody faster
  sync::owned_counter shards_stolen;
  sync::owned_counter messages_stolen;  // found in the shard by the first gulp after that
};

// Thread safety: the worker's own thread.
class thief {
 public:
  thief(dispatcher& owner, unsigned index);

  using candidate = shard_table<sync::real, mailbox::shard>::candidate;

  // The first half of an attempt: one victim, as the policy says, and one scan of its shards. Nothing found: it is
  // over.
  [[nodiscard]] candidate look(theft_counters& counters);
  // The second half, a while later: one swap, if the candidate was left lying. A shard that its worker lets go of for a
  // moment, between two stretches, would be run again at once, where all that it uses is in the cache.
  [[nodiscard]] bool steal(const candidate& c, theft_counters& counters);
  // Instead: there is something else to do.
  void leave(theft_counters& counters) noexcept { counters.steals_without_candidate.add(1); }
  // Wakes the nearest worker that sleeps.
  void wake_another() noexcept;

 private:
  [[nodiscard]] candidate find();
  [[nodiscard]] std::uint64_t next_random() noexcept;

  dispatcher* const owner_;
  const unsigned index_;
  std::uint64_t random_;
  std::vector<std::uint64_t> stamps_;      // of all workers, as seen last
  std::vector<std::uint16_t> neighbours_;  // the other workers, nearest first
};

}  // namespace tact::dispatch
