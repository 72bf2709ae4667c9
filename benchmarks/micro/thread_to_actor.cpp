// A thread outside sends to one actor of an engine with one worker; each message is in the queue when the send returns.
#include "micro/relay.hpp"
#include "micro/two_threads.hpp"

namespace tact::bench {
namespace {

double processor_ns() {
  timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) * 1e9 + static_cast<double>(t.tv_nsec);
}

// Sends `messages` and waits for the last one. Only trials in which sender and worker really ran at once count, apart
// for units that share a cache and those that do not.
template <class Ring>
void from_thread(benchmark::State& state) {
  using clock = std::chrono::steady_clock;
  constexpr std::uint64_t messages = 20'000;
  constexpr std::uint64_t before = 500;  // while the worker wakes up
  Ring receiver(1);
  engine e(small_engine(1, 1));
  receiver.enter(e);
  std::uint64_t sent = 0;
  report_trials(state, messages, [&] {
    trial t = two_threads::run([](unsigned) {});  // for the line's round trip
    for (std::uint64_t i = 0; i < before; ++i) e.send(receiver.refs[0], hop{0});
    const double processor = processor_ns();
    const auto began = clock::now();
    for (std::uint64_t i = 0; i < messages; ++i) e.send(receiver.refs[0], hop{0});
    e.wait_idle();
    t.wall_ns = std::chrono::duration<double, std::nano>(clock::now() - began).count();
    t.busy = (processor_ns() - processor) / (2 * t.wall_ns);
    sent += before + messages;
    return t;
  });
  if (receiver.handled(e) != sent) state.SkipWithError("messages were lost");
}

BENCHMARK(from_thread<classic_ring>)->Name("thread_to_actor/classic")->UseManualTime()->Iterations(1);
BENCHMARK(from_thread<ring<kind::transactional>>)
    ->Name("thread_to_actor/transactional")
    ->UseManualTime()
    ->Iterations(1);
BENCHMARK(from_thread<ring<kind::becoming>>)->Name("thread_to_actor/becoming")->UseManualTime()->Iterations(1);

}  // namespace
}  // namespace tact::bench

BENCHMARK_MAIN();
