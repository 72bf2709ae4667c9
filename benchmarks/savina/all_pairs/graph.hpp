// What the programs of all_pairs share: the graph in blocks, one step of Floyd and Warshall, and the check.
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "savina/parameters.hpp"
#include "savina/random.hpp"

namespace bench {

using distance = std::int64_t;
// Those from the nodes of one block's rows to the nodes of its columns, row by row.
using distances = std::shared_ptr<const distance[]>;

// A complete graph, with the same distance both ways.
inline std::vector<distance> random_graph(std::size_t nodes, std::uint64_t longest) {
  std::vector<distance> edges(nodes * nodes);
  savina_random dice(nodes);
  for (std::size_t i = 0; i < nodes; ++i) {
    for (std::size_t j = i + 1; j < nodes; ++j) {
      edges[i * nodes + j] = edges[j * nodes + i] = static_cast<distance>(dice.below(longest) + 1);
    }
  }
  return edges;
}

// Without blocks, to compare with.
inline std::vector<distance> shortest_paths(std::vector<distance> known, std::size_t nodes) {
  for (std::size_t via = 0; via < nodes; ++via) {
    for (std::size_t i = 0; i < nodes; ++i) {
      for (std::size_t j = 0; j < nodes; ++j) {
        known[i * nodes + j] = std::min(known[i * nodes + j], known[i * nodes + via] + known[via * nodes + j]);
      }
    }
  }
  return known;
}

struct all_pairs_setting {
  explicit all_pairs_setting(savina_parameters& p)
      : nodes(p.number("nodes", {300, 900, 60}, "nodes of the graph")),
        side(p.number("side", {50, 150, 20}, "rows and columns of a block")),
        longest(p.number("longest", {100, 300, 100}, "the longest edge")),
        across(nodes / side),
        edges(random_graph(nodes, longest)) {
    p.of().require(nodes % side == 0, "--nodes is a multiple of --side");
    p.of().require(across >= 2, "--side is at most half of --nodes");
  }

  [[nodiscard]] std::size_t blocks() const { return across * across; }
  // Each block tells all others of its row and of its column, at first and after each step.
  [[nodiscard]] std::uint64_t messages() const { return (nodes + 1) * blocks() * 2 * (across - 1); }

  [[nodiscard]] distances cut(std::size_t row, std::size_t column) const {
    const auto cut = std::make_shared<distance[]>(side * side);
    for (std::size_t i = 0; i < side; ++i) {
      std::copy_n(&edges[(row * side + i) * nodes + column * side], side, cut.get() + i * side);
    }
    return cut;
  }

  // Paths by way of one more node, whose distances to this block's rows are in the block `of_row`, in the same row, and
  // to its columns in `of_column`.
  void step(std::size_t via, const distance* before, const distance* of_row, const distance* of_column,
            distance* after) const {
    const std::size_t at = via % side;
    const distance* const on = of_column + at * side;
    for (std::size_t i = 0; i < side; ++i) {
      const distance there = of_row[i * side + at];
      for (std::size_t j = 0; j < side; ++j) after[i * side + j] = std::min(before[i * side + j], there + on[j]);
    }
  }

  // Blocks row by row.
  void check(program& p, const std::vector<const distance*>& found) const {
    const auto expected = shortest_paths(edges, nodes);
    bool equal = true;
    for (std::size_t i = 0; i < nodes; ++i) {
      for (std::size_t j = 0; j < nodes; ++j) {
        const distance* const in = found[i / side * across + j / side];
        equal = equal && in[i % side * side + j % side] == expected[i * nodes + j];
      }
    }
    p.check(equal, "a distance that is not the shortest one");
    check_figures(p, expected);
  }

  std::size_t nodes;
  std::size_t side;
  std::uint64_t longest;
  std::size_t across;  // blocks in a row, or column
  std::vector<distance> edges;

 private:
  // Known from elsewhere.
  void check_figures(program& p, const std::vector<distance>& all) const {
    distance sum = 0;
    for (const distance d : all) sum += d;
    const distance most = *std::max_element(all.begin(), all.end());
    const auto check_known = [&](std::size_t its_nodes, std::uint64_t its_longest, distance its_sum,
                                 distance its_most) {
      if (nodes != its_nodes || longest != its_longest) return;
      p.check(sum == its_sum, "a sum of all distances that is not the known one");
      p.check(most == its_most, "a longest distance that is not the known one");
    };
    check_known(60, 100, 32'950, 22);
    check_known(300, 100, 401'700, 9);
    check_known(900, 300, 4'235'660, 10);
  }
};

}  // namespace bench
