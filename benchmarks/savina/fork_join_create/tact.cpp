// Fork-join, creation: a thread makes actors, each of which gets one message. Savina 04.
#include "savina/tact.hpp"
#include "savina/work.hpp"

namespace bench {
namespace {

struct job {};

class worker : public tact::actor<worker, job> {
 public:
  tact::allocation receive(tact::self<worker>&, const job&) {
    savina_sine();
    return tact::allocation::delete_;
  }
};

struct fork_join_create {
  explicit fork_join_create(savina_parameters& p) : actors(p.number("actors", {40'000, 4'000'000, 100}, "actors")) {}

  std::uint64_t run(tact::engine& engine) {
    for (std::uint64_t i = 0; i < actors; ++i) engine.send(engine.spawn<worker>(), job{});
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
  return bench::main_on_tact<bench::fork_join_create>(argc, argv, "Fork-join: a thread makes many actors (Savina 04).");
}
