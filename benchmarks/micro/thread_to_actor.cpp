// A thread outside sends to one actor of an engine with one worker; each message is in the queue when the send returns.
#include "micro/relay.hpp"

namespace tact::bench {
namespace {

template <class Ring>
void from_thread(benchmark::State& state) {
  constexpr std::uint64_t messages = 300'000;
  Ring receiver(1);
  engine e(small_engine(1, 1));
  receiver.enter(e);
  std::uint64_t sent = 0;
  for (auto _ : state) {
    for (std::uint64_t i = 0; i < messages; ++i) e.send(receiver.refs[0], hop{0});
    e.wait_idle();
    sent += messages;
  }
  report(state, e, sent, receiver.handled(e));
}

BENCHMARK(from_thread<classic_ring>)->Name("thread_to_actor/classic")->Apply(time_everything);
BENCHMARK(from_thread<ring<kind::transactional>>)->Name("thread_to_actor/transactional")->Apply(time_everything);
BENCHMARK(from_thread<ring<kind::becoming>>)->Name("thread_to_actor/becoming")->Apply(time_everything);

}  // namespace
}  // namespace tact::bench

BENCHMARK_MAIN();
