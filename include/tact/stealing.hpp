// Which worker an idle one steals from.
#include "tact/detail/language.hpp"  // first
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>

#include "tact/placement.hpp"

namespace tact {

// What a thief sees when it chooses. Plain data, read without any lock: it may be outdated by the time it is used, and
// a choice made from it can be poor, never wrong.
struct steal_view {
  // A worker that runs nothing has no_stamp.
  static constexpr std::uint64_t no_stamp = ~std::uint64_t{0};

  unsigned thief = 0;
  // For each worker that runs, when it took up the shard that it runs: a count that grows whenever somebody tries to
  // steal.
  std::span<const std::uint64_t> stamps{};
  const placement_plan& plan;
  std::uint64_t random = 0;  // a new one for every choice
};

// Returns the number of a worker, or nothing when nobody is worth a try. Called by idle workers, several at once; must
// not block or throw. Empty: nobody steals.
using victim_policy = std::function<std::optional<unsigned>(const steal_view&)>;

// The worker that has been at it for the longest time: the one with the oldest stamp. Source of the idea: C∀.
[[nodiscard]] std::optional<unsigned> longest_victim(const steal_view&) noexcept;
// Any other worker.
[[nodiscard]] std::optional<unsigned> random_victim(const steal_view&) noexcept;
inline const victim_policy no_victim{};

}  // namespace tact
