// Thread ring on CAF.
#include "savina/caf.hpp"
#include "savina/thread_ring/ring.hpp"

namespace bench {
namespace {

using token = caf::atom_constant<caf::atom("token")>;
using stop = caf::atom_constant<caf::atom("exit")>;

class member : public caf::event_based_actor {
 public:
  member(caf::actor_config& config, std::uint64_t actors, ring_record& record)
      : event_based_actor(config), actors_(actors), record_(&record) {}
  caf::behavior make_behavior() override {
    return {
        [this](token, std::uint64_t left) {
          ++own_.tokens;
          if (left != 0) return send(next_, token::value, left - 1);
          own_.last_token = true;
          send(next_, stop::value, actors_);
        },
        [this](stop, std::uint64_t left) {
          if (left != 0) send(next_, stop::value, left - 1);
          ++own_.exits;
          *record_ = own_;
          next_ = nullptr;  // the refs of the ring hold each other
          quit();
        },
        [this](const caf::actor& next) { next_ = next; },
    };
  }

 private:
  std::uint64_t actors_;
  caf::actor next_;
  ring_record own_;
  ring_record* record_;
};

struct thread_ring {
  explicit thread_ring(savina_parameters& p) : setting(p), records(setting.actors) {}

  std::uint64_t run(caf::actor_system& system) {
    {
      std::vector<caf::actor> ring;
      for (ring_record& r : records) ring.push_back(system.spawn<member>(setting.actors, std::ref(r)));
      for (std::size_t i = 0; i < ring.size(); ++i) caf::anon_send(ring[i], ring[(i + 1) % ring.size()]);
      caf::anon_send(ring[0], token::value, setting.hops);
    }
    system.await_all_actors_done();
    return setting.messages();
  }
  void check(program& p) const { check_ring(p, setting, records); }

  ring_setting setting;
  std::vector<ring_record> records;
};

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  return bench::main_on_caf<bench::thread_ring>(argc, argv,
                                                "Thread ring: a token goes round a ring of actors (Savina 05).");
}
