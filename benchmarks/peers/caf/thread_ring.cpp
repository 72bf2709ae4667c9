// Thread ring on CAF.
#include "programs/thread_ring.hpp"

#include <vector>

#include "peers/caf/system.hpp"

namespace bench {
namespace {

using ping = caf::atom_constant<caf::atom("ping")>;
using stop = caf::atom_constant<caf::atom("exit")>;

class node : public caf::event_based_actor {
 public:
  node(caf::actor_config& config, std::uint64_t actors, thread_ring_record* record)
      : event_based_actor(config), actors_(actors), record_(record) {}
  caf::behavior make_behavior() override {
    return {
        [this](ping, std::uint64_t left) {
          ++own_.pings;
          if (left != 0) return send(next_, ping::value, left - 1);
          own_.last_ping = true;
          send(next_, stop::value, actors_);
        },
        [this](stop, std::uint64_t left) {
          ++own_.exits;
          if (left != 0) send(next_, stop::value, left - 1);
          *record_ = own_;
          next_ = nullptr;
          quit();
        },
        [this](const caf::actor& next) { next_ = next; },
    };
  }

 private:
  std::uint64_t actors_;
  thread_ring_record* record_;
  thread_ring_record own_;
  caf::actor next_;
};

int run(program& p) {
  const thread_ring_setting setting(p, 2'000'000, 1'000'000);
  caf_options options(p);
  p.ready();

  std::vector<thread_ring_record> records(setting.actors);
  caf::actor_system system(options);
  std::vector<caf::actor> refs;
  for (auto& r : records) refs.push_back(system.spawn<node, caf::lazy_init>(setting.actors, &r));

  stopwatch watch;
  for (std::size_t i = 0; i < refs.size(); ++i) caf::anon_send(refs[i], refs[(i + 1) % refs.size()]);
  caf::anon_send(refs[0], ping::value, setting.hops);
  system.await_all_actors_done();
  watch.stop();

  check_thread_ring(p, setting, [&](std::size_t i) -> const thread_ring_record& { return records[i]; });
  return p.report(watch, setting.messages());
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  bench::program p(argc, argv, "Thread ring: a token goes round a ring of actors.", bench::caf_runtime());
  return bench::run(p);
}
