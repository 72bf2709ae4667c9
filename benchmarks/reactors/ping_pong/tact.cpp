// Ping-pong: so many pings are under way from one actor to another, and each answer is followed by another ping. With
// one it is the ping-pong of Reactors, with more their streaming ping-pong.
#include <algorithm>

#include "savina/tact.hpp"

namespace bench {
namespace {

class pinger;
struct start {};
struct ping {};
struct pong {};

// What both saw.
struct ping_pong_record {
  std::uint64_t pings = 0;
  std::uint64_t pongs = 0;
  std::uint64_t most_under_way = 0;
};

class ponger : public tact::actor<ponger, ping> {
 public:
  ponger(tact::ref<pinger> to, std::uint64_t rounds, ping_pong_record& record)
      : to_(to), left_(rounds), record_(&record) {}
  // Whatever comes behind the last ping is a dead letter, as it is meant.
  tact::allocation receive(tact::self<ponger>& self, const ping&);

 private:
  tact::ref<pinger> to_;
  std::uint64_t left_;
  std::uint64_t pings_ = 0;
  ping_pong_record* record_;
};

class pinger : public tact::actor<pinger, start, pong> {
 public:
  pinger(std::uint64_t rounds, std::uint64_t window, ping_pong_record& record)
      : left_(rounds), window_(window), record_(&record) {}
  void receive(tact::self<pinger>& self, const start&) {
    to_ = self.spawn<ponger>(self.ref(), left_, *record_);
    for (std::uint64_t i = 0; i < window_; ++i) send_ping(self);
  }
  tact::allocation receive(tact::self<pinger>& self, const pong&) {
    ++pongs_;
    if (--left_ != 0) {
      send_ping(self);
      return tact::allocation::nodelete;
    }
    record_->pongs = pongs_;
    record_->most_under_way = most_under_way_;
    return tact::allocation::delete_;
  }

 private:
  void send_ping(tact::self<pinger>& self) {
    self.send(to_, ping{});
    ++pings_;
    most_under_way_ = std::max(most_under_way_, pings_ - pongs_);
  }

  tact::ref<ponger> to_;
  std::uint64_t left_;
  std::uint64_t window_;
  std::uint64_t pings_ = 0;
  std::uint64_t pongs_ = 0;
  std::uint64_t most_under_way_ = 0;
  ping_pong_record* record_;
};

tact::allocation ponger::receive(tact::self<ponger>& self, const ping&) {
  ++pings_;
  self.send(to_, pong{});
  if (--left_ != 0) return tact::allocation::nodelete;
  record_->pings = pings_;
  return tact::allocation::delete_;
}

struct ping_pong {
  explicit ping_pong(savina_parameters& p)
      : rounds(p.number("rounds", {25'000, 250'000, 500}, "answers")),
        window(p.number("window", {1, 1, 1}, "pings under way")) {}

  std::uint64_t run(tact::engine& engine) {
    engine.send(engine.spawn<pinger>(rounds, window, record), start{});
    engine.wait_finished();
    return 2 * rounds + 1;
  }
  void check(program& p, const tact::statistics& s) const {
    p.check_equal(record.pings, rounds, "pings answered");
    p.check_equal(record.pongs, rounds, "answers");
    p.check_equal(record.most_under_way, window, "pings under way at most");
    p.check_equal(s.dead_letters, window - 1, "pings that nobody was there for");
  }

  std::uint64_t rounds;
  std::uint64_t window;
  ping_pong_record record;
};

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  return bench::main_on_tact<bench::ping_pong>(argc, argv, "Ping-pong, with one ping or several under way (Reactors).");
}
