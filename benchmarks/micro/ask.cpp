// A thread asks an actor and waits for the answer.
#include "micro/relay.hpp"

namespace tact::bench {
namespace {

struct echo_of {
  using reply = std::uint64_t;
  std::uint64_t value;
};
struct echo : tact::protocol<tact::request<echo_of>> {};

behavior<echo> open_echo() {
  return [](tact::self<echo>& self, const tact::request<echo_of>& m) { self.reply(m, m.body.value + 1); };
}

void round_trip(benchmark::State& state) {
  engine e(small_engine(static_cast<unsigned>(state.range(0)), 0));
  const auto to = e.create(open_echo(), tact::parallel);
  std::uint64_t asked = 0;
  std::uint64_t answered = 0;
  for (auto _ : state) {
    answered += e.ask(to, echo_of{asked}) == asked + 1;
    ++asked;
  }
  report(state, e, asked, answered);
}

BENCHMARK(round_trip)->Name("ask/thread")->Arg(1)->Arg(2)->Apply(time_everything);

}  // namespace
}  // namespace tact::bench

BENCHMARK_MAIN();
