// Send and dispatch on one worker: 64 tokens in a ring of 64 actors, and one actor that sends to itself.
#include "micro/relay.hpp"

namespace tact::bench {
namespace {

// Every actor gets a token that is handed on `hops` times.
template <class Ring, unsigned Actors>
void circulate(benchmark::State& state) {
  constexpr std::uint64_t hops = 1'000'000 / Actors;
  Ring ring(Actors);
  engine e(small_engine(1, 1));
  ring.enter(e);
  std::uint64_t sent = 0;
  for (auto _ : state) {
    for (const auto r : ring.refs) e.send(r, hop{hops - 1});
    e.wait_idle();
    sent += Actors * hops;
  }
  report(state, e, sent, ring.handled(e));
}

BENCHMARK(circulate<classic_ring, 64>)->Name("send/classic")->Apply(time_everything);
BENCHMARK(circulate<ring<kind::ordered>, 64>)->Name("send/ordered")->Apply(time_everything);
BENCHMARK(circulate<ring<kind::transactional>, 64>)->Name("send/transactional")->Apply(time_everything);
BENCHMARK(circulate<ring<kind::becoming>, 64>)->Name("send/becoming")->Apply(time_everything);
BENCHMARK(circulate<classic_ring, 1>)->Name("self_send/classic")->Apply(time_everything);
BENCHMARK(circulate<ring<kind::ordered>, 1>)->Name("self_send/ordered")->Apply(time_everything);
BENCHMARK(circulate<ring<kind::transactional>, 1>)->Name("self_send/transactional")->Apply(time_everything);
BENCHMARK(circulate<ring<kind::becoming>, 1>)->Name("self_send/becoming")->Apply(time_everything);

}  // namespace
}  // namespace tact::bench

BENCHMARK_MAIN();
