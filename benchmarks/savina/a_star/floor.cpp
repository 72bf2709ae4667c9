// A* search on one thread: breadth first, until the target is found. Savina 27.
#include "savina/floor.hpp"
#include "savina/a_star/recount.hpp"
#include "savina/work.hpp"

namespace bench {
namespace {

struct a_star {
  explicit a_star(savina_parameters& p) : given(p) {}

  // How many messages would be handled for this is for a schedule to say: each node that is looked at counts as one.
  std::uint64_t run() {
    const graph& g = *given.where;
    savina_random dice;
    std::vector<node> queue{graph::origin};
    for (std::size_t next = 0; next < queue.size(); ++next) {
      ++looked_at;
      savina_spin(dice, given.draws);
      for (const node to : g.neighbours(queue[next])) {
        if (found.parent[to] != origins::nobody) continue;
        found.parent[to] = queue[next];
        found.distance[to] = found.distance[queue[next]] + 1;
        if (to == g.target()) return looked_at;
        queue.push_back(to);
      }
    }
    return looked_at;
  }
  void check(program& p) const {
    const node target = given.where->target();
    check_search(p, given, found, found.parent[target] != origins::nobody);
    p.check_equal(found.distance[target], recount(*given.where).distance[target], "length of the way");
    if (given.side == 30) p.check_equal(looked_at, 19'173, "nodes looked at");
  }

  search_parameters given;
  origins found{*given.where};
  std::uint64_t looked_at = 0;
};

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  return bench::main_without_runtime<bench::a_star>(argc, argv,
                                                    "A* search: many look for a way through a graph (Savina 27).");
}
