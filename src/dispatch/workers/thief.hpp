// The part of a worker that takes shards from other workers when it has nothing to do.
#pragma once

#include <cstdint>
#include <vector>

#include "dispatch/exchange/exchange.hpp"
#include "dispatch/exchange/shard_table.hpp"
#include "dispatch/holding/worker_counters.hpp"
#include "mailbox/shard.hpp"
#include "sync/system.hpp"

namespace tact::dispatch {

// Thread safety: the worker's own thread.
class thief {
 public:
  thief(exchange& between, unsigned index);

  // Tries one victim, which the policy chooses: one scan of its shards, and at most one swap. If it was in vain and the
  // victim's handlers take long, it tries the next one. Only if `patient` may it be a worker whose messages are quick.
  [[nodiscard]] theft<mailbox::shard> steal(theft_counters& counters, bool patient);
  // Did the handlers of the victim take long that was tried last? Then others that are like it may have more to steal.
  [[nodiscard]] bool victim_is_slow() const noexcept { return victim_is_slow_; }
  // May this thief take from that worker? From one whose messages are quick only if it is patient, or if that worker
  // has taken up nothing for long, as far as this thief has seen: then it stands in a handler that takes long after
  // all.
  [[nodiscard]] bool may_take_from(unsigned worker, bool patient) const noexcept;
  // Wakes the nearest worker that sleeps.
  void wake_another() noexcept;

 private:
  using clock = sync::stopwatch;

  struct sighting {
    std::uint64_t stamp = 0;
    clock::time_point since;
  };

  [[nodiscard]] theft<mailbox::shard> attempt(bool patient);
  [[nodiscard]] std::uint64_t next_random() noexcept;

  exchange& exchange_;
  const unsigned index_;
  std::uint64_t random_;
  std::vector<std::uint64_t> stamps_;      // what the policy sees, by worker
  std::vector<sighting> seen_;             // of all workers that run, as this one saw them last
  unsigned failures_ = 0;                  // attempts in a row that have brought nothing
  bool victim_is_slow_ = false;            // of the last attempt
  std::vector<std::uint8_t> distances_;    // to each worker that there may be
  std::vector<std::uint16_t> neighbours_;  // the other workers, nearest first
};

}  // namespace tact::dispatch
