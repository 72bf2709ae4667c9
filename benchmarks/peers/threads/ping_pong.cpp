// Ping-pong on threads.
#include <latch>

#include "peers/threads/pool.hpp"

namespace bench {
namespace {

enum class note : unsigned char { start, ping, pong, stop };
using notes = pool<note>;

class ponger : public notes::actor {
 public:
  explicit ponger(std::latch& done) : done_(done) {}
  void receive(notes& threads, const note& m) override {
    if (m == note::stop) return done_.count_down();
    ++count;
    threads.send(*to, note::pong);
  }
  notes::actor* to = nullptr;
  std::uint64_t count = 0;

 private:
  std::latch& done_;
};

class pinger : public notes::actor {
 public:
  pinger(ponger& to, std::uint64_t rounds, std::latch& done) : left(rounds), to_(to), done_(done) {}
  void receive(notes& threads, const note& m) override {
    if (m != note::pong) return begin_round(threads);
    ++count;
    if (left == 0) {
      threads.send(to_, note::stop);
      done_.count_down();
    } else {
      begin_round(threads);
    }
  }
  std::uint64_t left;
  std::uint64_t count = 0;

 private:
  void begin_round(notes& threads) {
    threads.send(to_, note::ping);
    --left;
  }
  ponger& to_;
  std::latch& done_;
};

int run(program& p) {
  const auto rounds = p.number("rounds", p.threads() == 1 ? 5'000'000 : 50'000, 1000, "round trips");
  p.ready();

  std::latch done(2);
  ponger answers(done);
  pinger asks(answers, rounds, done);
  answers.to = &asks;
  notes threads(p.threads());
  threads.place(answers);
  threads.place(asks);

  stopwatch watch;
  threads.send(asks, note::start);
  done.wait();
  watch.stop();

  p.check_equal(answers.count, rounds, "pings");
  p.check_equal(asks.count, rounds, "pongs");
  p.check_equal(asks.left, 0, "rounds left");
  return p.report(watch, 2 * rounds + 2);
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  bench::program p(argc, argv, "Ping-pong: one message goes to and fro between two actors.", bench::pool_runtime);
  return bench::run(p);
}
