// Fork-join, creation: a thread makes actors, and when all are there sends one message to each. Reactors. Unlike
// Savina's, in which each gets its message at once, which means some work.
#include <vector>

#include "savina/tact.hpp"

namespace bench {
namespace {

struct event {};

class worker : public tact::actor<worker, event> {
 public:
  tact::allocation receive(tact::self<worker>&, const event&) { return tact::allocation::delete_; }
};

struct fork_join_create {
  explicit fork_join_create(savina_parameters& p) : actors(p.number("actors", {25'000, 250'000, 100}, "actors")) {}

  std::uint64_t run(tact::engine& engine) {
    std::vector<tact::ref<worker>> workers;
    for (std::uint64_t i = 0; i < actors; ++i) workers.push_back(engine.spawn<worker>());
    for (const auto w : workers) engine.send(w, event{});
    engine.wait_finished();
    return actors;
  }
  void check(program& p, const tact::statistics& s) const {
    p.check_equal(s.actors_created, actors, "actors made");
    p.check_equal(s.dead_letters, 0, "dead letters");
  }

  std::uint64_t actors;
};

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  return bench::main_on_tact<bench::fork_join_create>(argc, argv,
                                                      "Fork-join: a thread makes all actors first (Reactors).");
}
