// What workers share to steal: which worker looks at which shard, how long each has been at its last one, and how many
// search for a victim.
#pragma once

#include <cstdint>
#include <utility>

#include "dispatch/searchers.hpp"
#include "dispatch/shard_table.hpp"
#include "mailbox/shard.hpp"
#include "sync/policy.hpp"
#include "tact/stealing.hpp"

namespace tact::dispatch {

class dispatcher;

// Thread safety: any thread. Protocol page: docs/protocols/queue_swap.md.
class stealing_state {
 public:
  stealing_state(dispatcher& owner, victim_policy victims, unsigned workers, std::uint32_t shards, unsigned running)
      : owner_(owner), victims_(std::move(victims)), table_(workers, shards, running), searchers_(1) {}
  stealing_state(const stealing_state&) = delete;
  stealing_state& operator=(const stealing_state&) = delete;

  [[nodiscard]] inline bool steals() const noexcept;
  [[nodiscard]] const victim_policy& victims() const noexcept { return victims_; }
  [[nodiscard]] shard_table<sync::real, mailbox::shard>& table() noexcept { return table_; }
  [[nodiscard]] searchers<sync::real>& searching() noexcept { return searchers_; }
  // The number of workers that search for a victim now.
  [[nodiscard]] std::uint32_t count_searchers() const noexcept { return searchers_.count(); }

  // A logical clock: thieves advance it, so a busy engine without thieves never writes it.
  // relaxed: hint for the choice of a victim.
  void tick() noexcept { ticks_.fetch_add(1, std::memory_order_relaxed); }
  // relaxed: hint for the choice of a victim.
  [[nodiscard]] std::uint64_t ticks() const noexcept { return ticks_.load(std::memory_order_relaxed); }
  // Has this worker nothing to do? A hint.
  [[nodiscard]] inline bool is_idle(unsigned worker) const noexcept;
  // Has this worker something to do, and has it taken up no shard since a thief last tried to steal? A hint.
  [[nodiscard]] inline bool is_behind(unsigned worker) const noexcept;

 private:
  dispatcher& owner_;
  const victim_policy victims_;
  shard_table<sync::real, mailbox::shard> table_;
  searchers<sync::real> searchers_;
  alignas(64) sync::atomic<std::uint64_t> ticks_{0};
};

}  // namespace tact::dispatch
