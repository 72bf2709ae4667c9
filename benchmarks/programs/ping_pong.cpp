// Ping-pong: one message goes to and fro between two actors, created on two workers if there are two. Source: C∀.
#include "programs/engine.hpp"

namespace bench {
namespace {

class pinger;
struct start {};
struct send_ping {
  tact::ref<pinger> sender;
};
struct send_pong {};
struct stop {};

class ponger : public tact::actor<ponger, send_ping, stop> {
 public:
  void receive(tact::self<ponger>& self, const send_ping& m);
  tact::allocation receive(tact::self<ponger>&, const stop&) { return tact::allocation::finished; }
  std::uint64_t count = 0;
};

class pinger : public tact::actor<pinger, start, send_pong> {
 public:
  explicit pinger(std::uint64_t rounds) : left(rounds) {}
  void receive(tact::self<pinger>& self, const start&) { begin_round(self); }
  tact::allocation receive(tact::self<pinger>& self, const send_pong&) {
    ++count;
    if (left == 0) {
      self.send(to, stop{});
      return tact::allocation::finished;
    }
    begin_round(self);
    return tact::allocation::nodelete;
  }
  tact::ref<ponger> to;
  std::uint64_t left;
  std::uint64_t count = 0;

 private:
  void begin_round(tact::self<pinger>& self) {
    self.send(to, send_ping{self.ref()});
    --left;
  }
};

void ponger::receive(tact::self<ponger>& self, const send_ping& m) {
  ++count;
  self.send(m.sender, send_pong{});
}

int run(program& p) {
  const auto rounds = p.number("rounds", p.threads() == 1 ? 20'000'000 : 500'000, 1000, "round trips");
  const auto options = read_engine_options(p);
  p.ready();

  ponger answers;
  pinger asks(rounds);
  tact::engine engine(options);
  asks.to = engine.attach(answers);
  const auto to = engine.attach(asks);

  stopwatch watch;
  engine.send(to, start{});
  engine.wait_finished();
  watch.stop();

  const std::uint64_t messages = 2 * rounds + 2;
  p.check_equal(answers.count, rounds, "pings");
  p.check_equal(asks.count, rounds, "pongs");
  p.check_equal(asks.left, 0, "rounds left");
  check_engine(p, engine, messages);
  return p.report(watch, messages);
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  bench::program p(argc, argv, "Ping-pong: one message goes to and fro between two actors.", bench::tact_runtime);
  return bench::run(p);
}
