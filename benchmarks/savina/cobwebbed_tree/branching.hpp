// Which nodes of a cobwebbed tree have children, and what work they do.
#pragma once

#include <cmath>
#include <optional>

#include "savina/java_random.hpp"
#include "savina/parameters.hpp"

namespace bench {

struct tree_parameters {
  explicit tree_parameters(savina_parameters& p)
      : nodes(p.number("nodes", {200'000, 1'000'000, 200}, "nodes at most", 2)),
        children(p.number("children", {10, 10, 10}, "children of each node that has any")),
        mean(p.number("mean", {500, 500, 50}, "mean work of a node")),
        deviation(p.number("deviation", {100, 100, 10}, "its standard deviation", 0)),
        urgent(p.number("urgent", {50, 50, 50}, "percent of the grants with an urgent child", 0)),
        steps(p.number("steps", {1, 1, 1}, "how often work counts to one", 0)) {
    p.of().require(nodes > children, "--nodes is more than --children: the root has children");
  }

  std::uint64_t nodes;
  std::uint64_t children;
  std::uint64_t mean;
  std::uint64_t deviation;
  std::uint64_t urgent;
  std::uint64_t steps;
};

// To a node: that it may have children.
struct grant {
  static constexpr std::uint32_t nobody = 0xffff'ffff;

  std::uint32_t first;   // number of the first child; the others follow
  std::uint32_t work;    // of each child
  std::uint32_t urgent;  // which of them is
};

// The dice of the root. Which request it answers matters, and not whose it is.
class branching {
 public:
  explicit branching(const tree_parameters& given) : given_(&given) {}

  grant begin() { return make(draw_work(), grant::nobody); }
  std::optional<grant> ask() {
    if (nodes_ + given_->children > given_->nodes || !dice_.coin()) return {};
    const std::uint32_t work = draw_work();
    const bool urgent = dice_.below(100) <= given_->urgent;
    return make(work, urgent ? dice_.below(static_cast<std::uint32_t>(given_->children)) : grant::nobody);
  }
  [[nodiscard]] std::uint64_t nodes() const { return nodes_; }

 private:
  std::uint32_t draw_work() {
    for (;;) {
      const double drawn = dice_.gauss() * static_cast<double>(given_->deviation) + static_cast<double>(given_->mean);
      if (const double rounded = std::floor(drawn + 0.5); rounded > 0) return static_cast<std::uint32_t>(rounded);
    }
  }
  grant make(std::uint32_t work, std::uint32_t urgent) {
    const grant made{static_cast<std::uint32_t>(nodes_), work, urgent};
    nodes_ += given_->children;
    return made;
  }

  const tree_parameters* given_;
  java_random dice_{2};
  std::uint64_t nodes_ = 1;
};

// So many times so many steps, which the compiler does not see through.
inline void labour(std::uint64_t work, std::uint64_t steps) {
  volatile std::uint64_t done = 0;
  for (std::uint64_t left = work * steps; left != 0; --left) done = done + 1;
}

}  // namespace bench
