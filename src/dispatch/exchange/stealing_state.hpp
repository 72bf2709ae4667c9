// What workers share to steal: which worker looks at which shard, how long each has been at its last one, and how many
// search for a victim.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "dispatch/exchange/searchers.hpp"
#include "dispatch/exchange/shard_table.hpp"
#include "dispatch/exchange/worker_numbers.hpp"
#include "dispatch/exchange/worker_status.hpp"
#include "mailbox/shard.hpp"
#include "sync/policy.hpp"
#include "tact/stealing.hpp"

namespace tact::dispatch {

// Thread safety: any thread. Protocol page: docs/protocols/queue_swap.md.
class stealing_state {
 public:
  stealing_state(const worker_numbers& numbers, const std::vector<std::unique_ptr<worker_status>>& status,
                 victim_policy victims, std::uint32_t shards)
      : numbers_(numbers),
        status_(status),
        victims_(std::move(victims)),
        table_(numbers.most(), shards, numbers.running()),
        searchers_(1) {}
  stealing_state(const stealing_state&) = delete;
  stealing_state& operator=(const stealing_state&) = delete;

  [[nodiscard]] bool steals() const noexcept { return victims_ != nullptr && numbers_.running() > 1; }
  [[nodiscard]] const victim_policy& victims() const noexcept { return victims_; }
  [[nodiscard]] shard_table<sync::real, mailbox::shard>& table() noexcept { return table_; }
  [[nodiscard]] const shard_table<sync::real, mailbox::shard>& table() const noexcept { return table_; }
  [[nodiscard]] searchers<sync::real>& searching() noexcept { return searchers_; }
  // The number of workers that search for a victim now.
  [[nodiscard]] std::uint32_t count_searchers() const noexcept { return searchers_.count(); }

  // A logical clock: thieves advance it, so a busy engine without thieves never writes it.
  // relaxed: hint for the choice of a victim.
  void tick() noexcept { ticks_.fetch_add(1, std::memory_order_relaxed); }
  // relaxed: hint for the choice of a victim.
  [[nodiscard]] std::uint64_t ticks() const noexcept { return ticks_.load(std::memory_order_relaxed); }
  // Has this worker nothing to do? A hint.
  [[nodiscard]] bool is_idle(unsigned worker) const noexcept { return status_[worker]->has_nothing(); }
  // Has this worker something to do, and has it taken up no shard since a thief last tried to steal? A hint.
  [[nodiscard]] bool is_behind(unsigned worker) const noexcept {
    const std::uint64_t stamp = status_[worker]->stamp();
    return stamp != steal_view::no_stamp && stamp < ticks();
  }

 private:
  const worker_numbers& numbers_;
  const std::vector<std::unique_ptr<worker_status>>& status_;
  const victim_policy victims_;
  shard_table<sync::real, mailbox::shard> table_;
  searchers<sync::real> searchers_;
  alignas(64) sync::atomic<std::uint64_t> ticks_{0};
};

}  // namespace tact::dispatch
