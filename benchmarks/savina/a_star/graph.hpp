// A cube of nodes, with edges that only lead away from the origin: where all runtimes of a_star search.
#pragma once

#include <algorithm>
#include <array>
#include <iterator>
#include <span>
#include <vector>

#include "savina/java_random.hpp"

namespace bench {

using node = std::uint32_t;

class graph {
 public:
  explicit graph(std::uint32_t side) : side_(side) {
    java_random dice(123'456);
    begins_.push_back(0);
    for (node i = 0; i < side; ++i) {
      for (node j = 0; j < side; ++j) {
        for (node k = 0; k < side; ++k) add({i, j, k}, dice);
      }
    }
  }

  static constexpr node origin = 0;
  [[nodiscard]] node target() const {
    const std::uint32_t a = side_ * 4 / 5;
    return number({a, a, a});
  }
  [[nodiscard]] node size() const { return side_ * side_ * side_; }
  [[nodiscard]] std::size_t edges() const { return ends_.size(); }
  [[nodiscard]] std::span<const node> neighbours(node of) const {
    return std::span(ends_).subspan(begins_[of], begins_[of + 1] - begins_[of]);
  }

 private:
  using place = std::array<std::uint32_t, 3>;

  [[nodiscard]] node number(place p) const { return (p[0] * side_ + p[1]) * side_ + p[2]; }
  // The next node: each edge it could have is there or not, as the dice say, but no node is to have none.
  void add(place at, java_random& dice) {
    constexpr place steps[] = {{0, 0, 1}, {0, 1, 0}, {0, 1, 1}, {1, 0, 0}, {1, 0, 1}, {1, 1, 0}};
    const auto first = std::ptrdiff_t{begins_.back()};
    for (const place& step : steps) {
      const bool needed = &step == std::end(steps) - 1 && ends_.size() == begins_.back();
      if (!needed && !dice.coin()) continue;
      place to;
      for (std::size_t i = 0; i < to.size(); ++i) to[i] = std::min(at[i] + step[i], side_ - 1);
      const node end = number(to);
      if (end != number(at) && std::find(ends_.begin() + first, ends_.end(), end) == ends_.end()) ends_.push_back(end);
    }
    begins_.push_back(static_cast<std::uint32_t>(ends_.size()));
  }

  std::uint32_t side_;
  std::vector<std::uint32_t> begins_;  // of the neighbours of each node
  std::vector<node> ends_;
};

}  // namespace bench
