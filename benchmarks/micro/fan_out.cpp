// One actor sends to a thousand others, round after round.
#include "micro/relay.hpp"

namespace tact::bench {
namespace {

struct round {
  std::uint64_t left;
};

// The next round begins when the worker comes to it, behind its own share of the receivers.
class hub : public tact::actor<hub, round> {
 public:
  explicit hub(const std::vector<ref<classic_relay>>& to) : to_(to) {}
  void receive(tact::self<hub>& self, const round& m) {
    for (const auto r : to_) self.send(r, hop{0});
    if (m.left != 0) self.send(self.ref(), round{m.left - 1});
  }

 private:
  const std::vector<ref<classic_relay>>& to_;
};

void classic(benchmark::State& state) {
  constexpr unsigned receivers = 1000;
  constexpr std::uint64_t rounds = 200;
  classic_ring to(receivers);
  engine e(small_engine(static_cast<unsigned>(state.range(0)), 0));
  to.enter(e);
  const auto from = e.spawn<hub>(to.refs);
  std::uint64_t sent = 0;
  for (auto _ : state) {
    e.send(from, round{rounds - 1});
    e.wait_idle();
    sent += rounds * receivers;
  }
  report(state, e, sent, to.handled(e));
}

BENCHMARK(classic)->Name("fan_out/classic")->Arg(1)->Arg(2)->Apply(time_everything);

}  // namespace
}  // namespace tact::bench

BENCHMARK_MAIN();
