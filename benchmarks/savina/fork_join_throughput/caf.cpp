// Fork-join, throughput, on CAF.
#include <vector>

#include "savina/caf.hpp"
#include "savina/work.hpp"

namespace bench {
namespace {

using job = caf::atom_constant<caf::atom("job")>;

class worker : public caf::event_based_actor {
 public:
  worker(caf::actor_config& config, std::uint64_t messages, std::uint64_t* handled)
      : event_based_actor(config), left_(messages), handled_(handled) {}
  caf::behavior make_behavior() override {
    return {[this](job) {
      savina_sine();
      ++*handled_;
      if (--left_ == 0) quit();
    }};
  }

 private:
  std::uint64_t left_;
  std::uint64_t* handled_;
};

struct fork_join_throughput {
  explicit fork_join_throughput(savina_parameters& p)
      : messages(p.number("messages", {10'000, 60'000, 20}, "messages to each actor")),
        handled(p.number("actors", {60, 360, 6}, "actors")) {}

  std::uint64_t run(caf::actor_system& system) {
    std::vector<caf::actor> workers;
    for (auto& count : handled) workers.push_back(system.spawn<worker>(messages, &count));
    for (std::uint64_t i = 0; i < messages; ++i) {
      for (const auto& w : workers) caf::anon_send(w, job::value);
    }
    workers.clear();
    system.await_all_actors_done();
    return messages * handled.size();
  }
  void check(program& p) const {
    for (const auto count : handled) p.check_equal(count, messages, "messages that one actor handled");
  }

  std::uint64_t messages;
  std::vector<std::uint64_t> handled;
};

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  return bench::main_on_caf<bench::fork_join_throughput>(argc, argv,
                                                         "Fork-join: a thread sends to many actors (Savina 03).");
}
