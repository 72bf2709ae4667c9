// What the nodes of a cobwebbed tree say of themselves, and what they should.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <vector>

#include "savina/cobwebbed_tree/branching.hpp"

namespace bench {

struct node_record {
  std::uint32_t work = 0;
  std::uint32_t height = 0;
  std::uint32_t branched = 0;  // children that have said that they have children
  std::uint8_t urgent = 0;
  std::uint8_t traversed = 0;
  std::uint8_t ended = 0;
};

struct tree_result {
  // The root's start; each other node is called, asks, works and ends; grants, and what is heard of them.
  [[nodiscard]] std::uint64_t messages() const { return 1 + 4 * (nodes - 1) + grants + heard(); }
  [[nodiscard]] std::uint64_t heard() const {
    std::uint64_t sum = 0;
    for (const node_record& one : records) sum += one.branched;
    return sum;
  }

  std::uint64_t nodes = 0;  // with the root
  std::uint64_t grants = 0;
  std::vector<node_record> records;  // the first is the root's
};

struct tree_totals {
  explicit tree_totals(const tree_parameters& given) {
    branching dice(given);
    const auto count = [&](const grant& made) {
      work += given.children * made.work;
      urgent += made.urgent != grant::nobody;
    };
    count(dice.begin());
    for (std::uint64_t asking = given.children; asking != 0; --asking) {
      const auto made = dice.ask();
      if (!made) continue;
      count(*made);
      asking += given.children;
      ++grants;
    }
    nodes = dice.nodes();
  }

  std::uint64_t nodes = 0;  // with the root
  std::uint64_t grants = 0;
  std::uint64_t urgent = 0;
  std::uint64_t work = 0;
};

inline void check_known(program& p, const tree_parameters& given, const tree_totals& t) {
  if (given.children != 10 || given.mean != 500 || given.deviation != 100) return;
  struct known {
    std::uint64_t at_most;
    std::uint64_t nodes;
    std::uint64_t work;
  };
  for (const known k :
       {known{1'000, 991, 499'870}, known{10'000, 9'991, 4'984'860}, known{200'000, 199'991, 99'856'000}}) {
    if (given.urgent != 50 || given.nodes != k.at_most) continue;
    p.check_equal(t.nodes, k.nodes, "nodes, with the root");
    p.check_equal(t.work, k.work, "work of all nodes");
  }
  if (given.urgent == 50 && given.nodes == 200'000) p.check_equal(t.urgent, 10'203, "urgent nodes");
}

inline void check_tree(program& p, const tree_parameters& given, const tree_result& found) {
  const tree_totals expected(given);
  check_known(p, given, expected);
  p.check_equal(found.nodes, expected.nodes, "nodes, with the root");
  p.check_equal(found.grants, expected.grants, "grants");
  const auto& records = found.records;
  std::uint64_t work = 0;
  std::uint64_t urgent = 0;
  std::uint32_t height = 0;
  for (std::uint64_t i = 1; i < records.size(); ++i) {
    const bool exists = i < expected.nodes;
    p.check_equal(records[i].traversed, exists, "how often a node was traversed");
    p.check_equal(records[i].ended, exists, "how often a node was told to end");
    work += records[i].work;
    urgent += records[i].urgent;
    height = std::max(height, records[i].height);
  }
  p.check_equal(work, expected.work, "work of all nodes");
  p.check_equal(urgent, expected.urgent, "urgent nodes");
  p.check_equal(records[0].height, height, "height of the tree, as the root knows it");
}

}  // namespace bench
