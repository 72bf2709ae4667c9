// One message goes to and fro between two actors: on one worker, and created on different workers.
#include "micro/relay.hpp"

namespace tact::bench {
namespace {

// One shard per worker. The first actors of an engine are dealt out round over its shards.
template <class Ring>
void ping_pong(benchmark::State& state) {
  const auto workers = static_cast<unsigned>(state.range(0));
  const std::uint64_t hops = workers == 1 ? 500'000 : 5'000;
  Ring pair(2);
  engine e(small_engine(workers, workers));
  pair.enter(e);
  std::uint64_t sent = 0;
  for (auto _ : state) {
    e.send(pair.refs[0], hop{hops - 1});
    e.wait_idle();
    sent += hops;
  }
  report(state, e, sent, pair.handled(e));
  const auto s = e.statistics();
  state.counters["gulps/msg"] = static_cast<double>(s.gulps) / static_cast<double>(sent);
  state.counters["parks/msg"] = static_cast<double>(s.parks) / static_cast<double>(sent);
}

BENCHMARK(ping_pong<classic_ring>)->Name("ping_pong/classic")->Arg(1)->Arg(2)->Apply(time_everything);
BENCHMARK(ping_pong<ring<kind::transactional>>)
    ->Name("ping_pong/transactional")
    ->Arg(1)
    ->Arg(2)
    ->Apply(time_everything);

}  // namespace
}  // namespace tact::bench

BENCHMARK_MAIN();
