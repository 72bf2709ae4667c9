// The victim policies that come with the library.
#include "tact/stealing.hpp"

#include <array>
#include <numeric>

namespace tact {

std::optional<unsigned> longest_victim(const steal_view& seen) noexcept {
  std::optional<unsigned> oldest;
  for (unsigned i = 0; i < seen.stamps.size(); ++i) {
    if (i == seen.thief || seen.stamps[i] == steal_view::no_stamp) continue;
    if (!oldest || seen.stamps[i] < seen.stamps[*oldest]) oldest = i;
  }
  return oldest;
}

std::optional<unsigned> random_victim(const steal_view& seen) noexcept {
  const std::size_t others = seen.stamps.size() - 1;
  if (others == 0) return {};
  const auto i = static_cast<unsigned>(seen.random % others);
  return i < seen.thief ? i : i + 1;
}

std::optional<unsigned> nearest_victim(const steal_view& seen) noexcept {
  const auto is_busy = [&](unsigned i) { return i != seen.thief && seen.stamps[i] != steal_view::no_stamp; };
  std::array<unsigned, placement_plan::farthest + 1> busy{};  // by distance
  for (unsigned i = 0; i < seen.stamps.size(); ++i)
    if (is_busy(i)) ++busy[seen.distances[i]];
  unsigned ring = 0;
  for (unsigned left = seen.failures; ring < busy.size(); ++ring)
    if (busy[ring] != 0 && left-- == 0) break;
  const bool any_ring = ring == busy.size();
  const unsigned count = any_ring ? std::accumulate(busy.begin(), busy.end(), 0U) : busy[ring];
  if (count == 0) return {};
  auto nth = static_cast<unsigned>(seen.random % count);
  for (unsigned i = 0; i < seen.stamps.size(); ++i)
    if (is_busy(i) && (any_ring || seen.distances[i] == ring) && nth-- == 0) return i;
  return {};
}

}  // namespace tact
