// Fork-join, creation, on CAF.
#include <atomic>

#include "savina/caf.hpp"
#include "savina/work.hpp"

namespace bench {
namespace {

using job = caf::atom_constant<caf::atom("job")>;

class worker : public caf::event_based_actor {
 public:
  worker(caf::actor_config& config, std::atomic<std::uint64_t>* handled)
      : event_based_actor(config), handled_(handled) {}
  caf::behavior make_behavior() override {
    return {[this](job) {
      savina_sine();
      handled_->fetch_add(1, std::memory_order_relaxed);
      quit();
    }};
  }

 private:
  std::atomic<std::uint64_t>* handled_;
};

struct fork_join_create {
  explicit fork_join_create(savina_parameters& p) : actors(p.number("actors", {40'000, 4'000'000, 100}, "actors")) {}

  std::uint64_t run(caf::actor_system& system) {
    for (std::uint64_t i = 0; i < actors; ++i) caf::anon_send(system.spawn<worker>(&handled), job::value);
    system.await_all_actors_done();
    return actors;
  }
  void check(program& p) const { p.check_equal(handled, actors, "actors that handled their message"); }

  std::uint64_t actors;
  std::atomic<std::uint64_t> handled{0};  // CAF does not tell
};

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  return bench::main_on_caf<bench::fork_join_create>(argc, argv, "Fork-join: a thread makes many actors (Savina 04).");
}
