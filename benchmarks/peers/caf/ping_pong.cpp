// Ping-pong on CAF.
#include "peers/caf/system.hpp"

namespace bench {
namespace {

using start = caf::atom_constant<caf::atom("start")>;
using ping = caf::atom_constant<caf::atom("ping")>;
using pong = caf::atom_constant<caf::atom("pong")>;
using stop = caf::atom_constant<caf::atom("stop")>;

struct counts {
  std::uint64_t pings = 0;
  std::uint64_t pongs = 0;
};

class ponger : public caf::event_based_actor {
 public:
  ponger(caf::actor_config& config, counts* count) : event_based_actor(config), count_(count) {}
  caf::behavior make_behavior() override {
    return {
        [this](ping) {
          ++count_->pings;
          return pong::value;
        },
        [this](stop) { quit(); },
    };
  }

 private:
  counts* count_;
};

class pinger : public caf::event_based_actor {
 public:
  pinger(caf::actor_config& config, caf::actor to, std::uint64_t rounds, counts* count)
      : event_based_actor(config), to_(std::move(to)), left_(rounds), count_(count) {}
  caf::behavior make_behavior() override {
    return {
        [this](pong) {
          ++count_->pongs;
          if (left_ == 0) {
            send(to_, stop::value);
            quit();
          } else {
            begin_round();
          }
        },
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
  counts* count_;
};

int run(program& p) {
  const auto rounds = p.number("rounds", 500'000, 1000, "round trips");
  caf_options options(p);
  p.ready();

  counts count;
  caf::actor_system system(options);
  const auto answers = system.spawn<ponger, caf::lazy_init>(&count);
  const auto asks = system.spawn<pinger, caf::lazy_init>(answers, rounds, &count);

  stopwatch watch;
  caf::anon_send(asks, start::value);
  system.await_all_actors_done();
  watch.stop();

  p.check_equal(count.pings, rounds, "pings");
  p.check_equal(count.pongs, rounds, "pongs");
  return p.report(watch, 2 * rounds + 2);
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  bench::program p(argc, argv, "Ping-pong: one message goes to and fro between two actors.", bench::caf_runtime());
  return bench::run(p);
}
