// What the runtimes of a_star have to do, and whether the way that they found is one.
#pragma once

#include <memory>

#include "savina/a_star/graph.hpp"
#include "savina/parameters.hpp"

namespace bench {

struct search_parameters {
  explicit search_parameters(savina_parameters& p)
      : side(static_cast<std::uint32_t>(p.number("side", {30, 80, 8}, "nodes along each edge of the cube", 2))),
        draws(p.number("draws", {100, 100, 10}, "random numbers drawn for each node", 0)) {
    p.of().require(side <= 1'000, "--side is at most 1000");
    where = std::make_shared<graph>(side);
  }

  std::uint32_t side;
  std::uint64_t draws;
  std::shared_ptr<const graph> where;
};

// From where each node was found first.
struct origins {
  static constexpr node nobody = 0xffff'ffff;

  explicit origins(const graph& g) : parent(g.size(), nobody), distance(g.size()) {}

  std::vector<node> parent;
  std::vector<std::uint32_t> distance;
};

// The shortest ways to all nodes that can be reached.
inline origins recount(const graph& g) {
  origins found(g);
  std::vector<node> queue{graph::origin};
  for (std::size_t next = 0; next < queue.size(); ++next) {
    for (const node to : g.neighbours(queue[next])) {
      if (found.parent[to] != origins::nobody) continue;
      found.parent[to] = queue[next];
      found.distance[to] = found.distance[queue[next]] + 1;
      queue.push_back(to);
    }
  }
  return found;
}

inline std::uint64_t count_found(const origins& o) {
  return o.parent.size() - static_cast<std::uint64_t>(std::ranges::count(o.parent, origins::nobody));
}

inline void check_graph(program& p, std::uint32_t side, const graph& g, const origins& all) {
  struct known {
    std::uint32_t side;
    std::uint64_t edges;
    std::uint64_t reachable;
    node target;
    std::uint32_t distance;
  };
  for (const known k :
       {known{10, 2'723, 675, 888, 12}, known{20, 22'975, 6'029, 6'736, 24}, known{30, 78'712, 20'515, 22'344, 36}}) {
    if (side != k.side) continue;
    p.check_equal(g.edges(), k.edges, "edges");
    p.check_equal(count_found(all) + 1, k.reachable, "nodes that can be reached");
    p.check_equal(g.target(), k.target, "number of the target");
    p.check_equal(all.distance[g.target()], k.distance, "length of the shortest way");
  }
}

inline void check_search(program& p, const search_parameters& given, const origins& found, std::uint64_t times_found) {
  const graph& g = *given.where;
  const origins all = recount(g);
  check_graph(p, given.side, g, all);
  for (node n = 0; n < g.size(); ++n) {
    const node from = found.parent[n];
    if (from == origins::nobody) continue;
    p.check(from == graph::origin || found.parent[from] != origins::nobody, "a node was found from one that was not");
    p.check(std::ranges::count(g.neighbours(from), n) == 1, "a node was found from one that it is no neighbour of");
    p.check_equal(found.distance[n], found.distance[from] + 1, "distance of a node from the origin");
  }

  const std::uint64_t nodes = count_found(found);
  const std::uint64_t reachable = count_found(all);
  const bool possible = all.parent[g.target()] != origins::nobody;
  p.check_equal(times_found, possible, "how often the target was found");
  p.check_equal(found.parent[g.target()] != origins::nobody, possible, "whether there is a way to the target");
  if (!possible) return p.check_equal(nodes, reachable, "nodes found in vain");
  std::uint64_t length = 0;
  for (node n = g.target(); n != graph::origin && length <= nodes; n = found.parent[n]) ++length;
  p.check_equal(length, found.distance[g.target()], "length of the way");
  p.check(length >= all.distance[g.target()], "the way is shorter than the shortest");
  p.check(length <= nodes && nodes <= reachable, "how many nodes were found");
}

}  // namespace bench
