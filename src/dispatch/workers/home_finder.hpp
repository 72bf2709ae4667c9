// Where the actors that a worker creates get their homes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "dispatch/exchange/exchange.hpp"
#include "dispatch/holding/joint_hold.hpp"

namespace tact::dispatch {

// Thread safety: the worker's own thread. Invariant: a home is an ordinary shard; as a rule one at which this worker
// looks, because what an actor creates is likely to talk to it.
class home_finder {
 public:
  home_finder(exchange& between, unsigned worker) noexcept
      : exchange_(between), worker_(worker), slots_(between.stealing().table().of(worker)) {}

  struct found {
    std::size_t homes = 0;  // how many were written
    std::size_t cycle = 0;  // how many different ones are among them: the cycle begins anew after so many
  };
  // Goes round over the shards of this worker, at least one, for an actor in a shard of those that are held.
  [[nodiscard]] found find(std::span<std::uint32_t> homes, const joint_hold& held) noexcept;
  // Finds homes for a row that has used up the shards of this worker: the shards of the next worker that is idle. 0: it
  // is this worker's turn again, or no worker is idle. `is_first`: this is the first such cycle of the row.
  [[nodiscard]] std::size_t find_elsewhere(std::span<std::uint32_t> homes, bool is_first) noexcept;

 private:
  [[nodiscard]] std::optional<std::uint32_t> to_leave_out(const joint_hold& held) const noexcept;

  exchange& exchange_;
  const unsigned worker_;
  const shard_table<sync::real, mailbox::shard>::range& slots_;
  std::size_t next_slot_ = 0;
  unsigned last_elsewhere_ = 0;  // the worker that got actors of this row last
};

}  // namespace tact::dispatch
