// How an idle worker chooses the worker from which it steals.
#include "tact/detail/begin.hpp"  // first
#pragma once

#include <cstdint>
#include <functional>
#include <iosfwd>
#include <optional>
#include <span>

#include "tact/placement.hpp"

namespace tact {

// The data from which a thief, a worker that wants to steal, chooses. They are plain and read without any lock: they
// may be outdated by the time they are used; a choice made from them can be poor, but never wrong.
struct steal_view {
  // The stamp of a worker that runs nothing, or that the thief does not want to take from: it has just tried it in
  // vain, or the messages of that worker are quick.
  static constexpr std::uint64_t no_stamp = ~std::uint64_t{0};

  unsigned thief = 0;
  // For each worker that runs in the engine, the count at which it took up the shard that it runs; the count grows
  // whenever a worker tries to steal.
  std::span<const std::uint64_t> stamps{};
  const placement_plan& plan;
  std::uint64_t random = 0;  // a new number for every choice
  // For each worker that runs, how far it is from the thief: placement_plan::distance, computed once.
  std::span<const std::uint8_t> distances{};
  unsigned failures = 0;  // workers that the thief has tried in a row in vain
};
std::ostream& operator<<(std::ostream&, const steal_view&);

// Returns the number of the worker to steal from, or nothing when no worker is worth a try. Idle workers call it,
// several at once; it must not block or throw. If the worker that it returns has nothing to give, and its handlers take
// 10 microseconds or more, it is called again at once. Empty: no worker steals.
using victim_policy = std::function<std::optional<unsigned>(const steal_view&)>;

// Chooses the worker that has run its shard for the longest time, which has the oldest stamp. Where that one stands in
// a long handler and has nothing else to give, idle workers take nothing from the others meanwhile. Source of the idea:
// C∀.
[[nodiscard]] std::optional<unsigned> longest_victim(const steal_view&) noexcept;
// Chooses any other worker, at random.
[[nodiscard]] std::optional<unsigned> random_victim(const steal_view&) noexcept;
// Chooses among the nearest workers that run something the one that has run its shard for the longest time. After an
// attempt that failed it chooses by turns as longest_victim does, and among those at the next distance, and so on
// outward; beyond the last distance any, at random, in place of the latter. So what is stolen moves through the caches
// that are shared, a worker that has much more than all others is found soon, and one that has nothing to give keeps no
// thief from the others. Source of the idea: the weighted stealing of Wölke's locality-guided scheduler for CAF.
[[nodiscard]] std::optional<unsigned> nearest_victim(const steal_view&) noexcept;
// No worker steals.
inline const victim_policy no_victim{};

}  // namespace tact

#include "tact/detail/end.hpp"  // last
