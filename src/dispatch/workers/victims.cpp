// The victim policies that come with the library.
#include "tact/stealing.hpp"

#include <array>

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
  std::array<std::optional<unsigned>, placement_plan::farthest + 1> oldest{};  // by distance
  unsigned busy = 0;
  for (unsigned i = 0; i < seen.stamps.size(); ++i) {
    if (!is_busy(i)) continue;
    ++busy;
    auto& found = oldest[seen.distances[i]];
    if (!found || seen.stamps[i] < seen.stamps[*found]) found = i;
  }
  if (busy == 0) return {};
  if (seen.failures % 2 == 1) return longest_victim(seen);
  unsigned left = seen.failures / 2;
  for (const auto& found : oldest)
    if (found && left-- == 0) return found;
  auto nth = static_cast<unsigned>(seen.random % busy);
  for (unsigned i = 0; i < seen.stamps.size(); ++i)
    if (is_busy(i) && nth-- == 0) return i;
  return {};
}

}  // namespace tact
