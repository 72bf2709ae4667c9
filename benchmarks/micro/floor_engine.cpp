// Floors of an engine, one thread: tokens in a ring, and a chain of actors.
#include "micro/floor_engine.hpp"

#include "micro/count.hpp"

namespace tact::bench {
namespace {

constexpr std::uint64_t messages = 1'000'000;

template <void (*Run)(engine&)>
void circulate(benchmark::State& state) {
  const auto actors = static_cast<std::size_t>(state.range(0));
  engine e;
  auto ring = make_ring(actors);
  std::uint64_t sent = 0;
  for (auto _ : state) {
    const std::uint64_t hops = messages / actors;
    for (actor& a : ring) e.lane.push({&pass_on, &a, hops - 1, 0});
    Run(e);
    sent += actors * hops;
  }
  std::uint64_t handled = 0;
  for (const actor& a : ring) handled += a.handled;
  report(state, sent, handled);
}

void circulate_becoming(benchmark::State& state) {
  const auto actors = static_cast<std::size_t>(state.range(0));
  engine e;
  auto ring = make_ring(actors);
  for (actor& a : ring) a.word.store(new closure{&count_and_pass_on, 0, nullptr});
  std::uint64_t sent = 0;
  for (auto _ : state) {
    const std::uint64_t hops = messages / actors;
    for (actor& a : ring) e.lane.push({nullptr, &a, hops - 1, 0});
    run_becoming(e);
    sent += actors * hops;
  }
  std::uint64_t handled = 0;
  for (actor& a : ring) {
    handled += a.word.load()->handled;
    delete a.word.load();
  }
  free_closures(e);
  report(state, sent, handled);
}

void chain(benchmark::State& state) {
  engine e;
  std::uint64_t sent = 0;
  for (auto _ : state) {
    e.lane.push({&make_next, new actor, messages - 1, 0});
    run_direct(e);
    sent += messages;
  }
  free_actors(e);
  report(state, sent, e.ended);
}

BENCHMARK(circulate<run_direct>)->Name("floor_engine/classic")->Arg(64)->Arg(1)->Apply(time_everything);
BENCHMARK(circulate<run_staged>)->Name("floor_engine/staged")->Arg(64)->Arg(1)->Apply(time_everything);
BENCHMARK(circulate_becoming)->Name("floor_engine/becoming")->Arg(64)->Arg(1)->Apply(time_everything);
BENCHMARK(chain)->Name("floor_engine/create")->Apply(time_everything);

}  // namespace
}  // namespace tact::bench

BENCHMARK_MAIN();
