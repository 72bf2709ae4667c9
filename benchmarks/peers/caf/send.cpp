// Send on CAF: with a fixed behaviour, and with one that each message replaces.
#include <atomic>
#include <vector>

#include "peers/caf/system.hpp"

namespace bench {
namespace {

using stop = caf::atom_constant<caf::atom("stop")>;

// What all actors know. Each writes its own counter, as it ends.
struct board {
  std::atomic<std::uint64_t> tokens = 0;  // those on their way
  std::vector<caf::actor> refs;
  std::vector<std::uint64_t> handled;
};

class relay : public caf::event_based_actor {
 public:
  relay(caf::actor_config& config, board* all, std::size_t id, bool becoming)
      : event_based_actor(config), all_(all), id_(id), next_((id + 1) % all->handled.size()), becoming_(becoming) {}
  caf::behavior make_behavior() override { return becoming_ ? count(0) : keep(); }

 private:
  caf::behavior keep() {
    return {
        [this](std::uint64_t left) {
          ++handled_;
          pass_on(left);
        },
        [this](stop) { end(handled_); },
    };
  }
  caf::behavior count(std::uint64_t handled) {
    return {
        [=, this](std::uint64_t left) {
          pass_on(left);
          become(count(handled + 1));
        },
        [=, this](stop) { end(handled); },
    };
  }
  void pass_on(std::uint64_t left) {
    if (left != 0) return send(all_->refs[next_], left - 1);
    if (--all_->tokens != 0) return;
    for (const auto& r : all_->refs) send(r, stop::value);
  }
  void end(std::uint64_t handled) {
    all_->handled[id_] = handled;
    quit();
  }

  board* all_;
  std::size_t id_;
  std::size_t next_;
  bool becoming_;
  std::uint64_t handled_ = 0;
};

int run(program& p) {
  const auto variant = p.choice("variant", {"classic", "becoming"}, "the actors");
  const auto actors = p.number("actors", 64, 8, "actors, each with a token");
  const auto each = p.number("hops", 64'000, 1000, "messages of a token");
  caf_options options(p);
  p.ready();

  board all;
  all.tokens = actors;
  all.handled.resize(actors);
  caf::actor_system system(options);
  for (std::size_t i = 0; i < actors; ++i) {
    all.refs.push_back(system.spawn<relay, caf::lazy_init>(&all, i, variant == "becoming"));
  }

  stopwatch watch;
  for (const auto& r : all.refs) caf::anon_send(r, each - 1);
  system.await_all_actors_done();
  watch.stop();

  std::uint64_t handled = 0;
  for (const auto n : all.handled) handled += n;
  p.check_equal(handled, actors * each, "messages handled");
  all.refs.clear();
  return p.report(watch, actors * each);
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  bench::program p(argc, argv, "Send: tokens go round a ring of actors.", bench::caf_runtime());
  return bench::run(p);
}
