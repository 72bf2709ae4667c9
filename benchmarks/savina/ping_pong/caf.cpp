// Ping-pong on CAF.
#include "savina/caf.hpp"
#include "savina/ping_pong/record.hpp"

namespace bench {
namespace {

using start = caf::atom_constant<caf::atom("start")>;
using ping = caf::atom_constant<caf::atom("ping")>;
using pong = caf::atom_constant<caf::atom("pong")>;
using next_round = caf::atom_constant<caf::atom("next")>;
using stop = caf::atom_constant<caf::atom("stop")>;

class ponger : public caf::event_based_actor {
 public:
  ponger(caf::actor_config& config, ping_pong_record& record) : event_based_actor(config), record_(&record) {}
  caf::behavior make_behavior() override {
    return {
        [this](ping) {
          ++pings_;
          return pong::value;
        },
        [this](stop) {
          record_->pings = pings_;
          quit();
        },
    };
  }

 private:
  std::uint64_t pings_ = 0;
  ping_pong_record* record_;
};

class pinger : public caf::event_based_actor {
 public:
  pinger(caf::actor_config& config, caf::actor to, std::uint64_t rounds, ping_pong_record& record)
      : event_based_actor(config), to_(std::move(to)), left_(rounds), record_(&record) {}
  caf::behavior make_behavior() override {
    return {
        [this](pong) {
          ++pongs_;
          if (left_ != 0) return send(this, next_round::value);
          send(to_, stop::value);
          record_->pongs = pongs_;
          quit();
        },
        [this](next_round) { begin_round(); },
        [this](start) { begin_round(); },
    };
  }

 private:
  void begin_round() {
    send(to_, ping::value);
    --left_;
  }

  caf::actor to_;
  std::uint64_t left_;
  std::uint64_t pongs_ = 0;
  ping_pong_record* record_;
};

struct ping_pong {
  explicit ping_pong(savina_parameters& p) : rounds(p.number("rounds", {40'000, 2'000'000, 1'000}, "round trips")) {}

  std::uint64_t run(caf::actor_system& system) {
    {
      const auto to = system.spawn<ponger>(std::ref(record));
      caf::anon_send(system.spawn<pinger>(to, rounds, std::ref(record)), start::value);
    }
    system.await_all_actors_done();
    return 3 * rounds + 1;
  }
  void check(program& p) const { check_ping_pong(p, record, rounds); }

  std::uint64_t rounds;
  ping_pong_record record;
};

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  return bench::main_on_caf<bench::ping_pong>(argc, argv,
                                              "Ping-pong: a message goes to and fro between two actors (Savina 01).");
}
