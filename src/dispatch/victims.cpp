// The victim policies that come with the library.
#include "tact/stealing.hpp"

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

}  // namespace tact
