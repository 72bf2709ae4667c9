// Ping-pong: a message goes to and fro between two actors; before each round one of them sends to itself. Savina 01.
#include "savina/tact.hpp"
#include "savina/ping_pong/record.hpp"

namespace bench {
namespace {

class pinger;
struct start {};
struct ping {
  tact::ref<pinger> from;
};
struct pong {};
struct next_round {};
struct stop {};

class ponger : public tact::actor<ponger, ping, stop> {
 public:
  explicit ponger(ping_pong_record& record) : record_(&record) {}
  void receive(tact::self<ponger>& self, const ping& m);
  tact::allocation receive(tact::self<ponger>&, const stop&) {
    record_->pings = pings_;
    return tact::allocation::delete_;
  }

 private:
  std::uint64_t pings_ = 0;
  ping_pong_record* record_;
};

class pinger : public tact::actor<pinger, start, pong, next_round> {
 public:
  pinger(tact::ref<ponger> to, std::uint64_t rounds, ping_pong_record& record)
      : to_(to), left_(rounds), record_(&record) {}
  void receive(tact::self<pinger>& self, const start&) { begin_round(self); }
  void receive(tact::self<pinger>& self, const next_round&) { begin_round(self); }
  tact::allocation receive(tact::self<pinger>& self, const pong&) {
    ++pongs_;
    if (left_ != 0) {
      self.send(self.ref(), next_round{});
      return tact::allocation::nodelete;
    }
    self.send(to_, stop{});
    record_->pongs = pongs_;
    return tact::allocation::delete_;
  }

 private:
  void begin_round(tact::self<pinger>& self) {
    self.send(to_, ping{self.ref()});
    --left_;
  }

  tact::ref<ponger> to_;
  std::uint64_t left_;
  std::uint64_t pongs_ = 0;
  ping_pong_record* record_;
};

void ponger::receive(tact::self<ponger>& self, const ping& m) {
  ++pings_;
  self.send(m.from, pong{});
}

struct ping_pong {
  explicit ping_pong(savina_parameters& p) : rounds(p.number("rounds", {40'000, 2'000'000, 1'000}, "round trips")) {}

  std::uint64_t run(tact::engine& engine) {
    const auto to = engine.spawn<ponger>(record);
    engine.send(engine.spawn<pinger>(to, rounds, record), start{});
    engine.wait_finished();
    return 3 * rounds + 1;
  }
  void check(program& p, const tact::statistics& s) const {
    check_ping_pong(p, record, rounds);
    p.check_equal(s.dead_letters, 0, "dead letters");
  }

  std::uint64_t rounds;
  ping_pong_record record;
};

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  return bench::main_on_tact<bench::ping_pong>(argc, argv,
                                               "Ping-pong: a message goes to and fro between two actors (Savina 01).");
}
