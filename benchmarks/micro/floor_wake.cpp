// Floors of waking: a thread that sleeps in the kernel is woken, and wakes the one that woke it.
#include <thread>

#include "floors/futex_word.hpp"
#include "micro/count.hpp"

namespace tact::bench {
namespace {

using word = ::bench::futex_word;

// There and back: two wakes of a sleeping thread.
void round_trip(benchmark::State& state) {
  constexpr std::uint32_t last = 0xFFFF'FFFF;
  word there;
  word back;
  std::uint32_t answered = 0;
  std::thread other([&] {
    for (std::uint32_t turn = 1;; ++turn) {
      std::uint32_t seen;
      while ((seen = there.value.load()) != turn && seen != last) {
        there.sleep_while(seen);
      }
      if (seen == last) return;
      ++answered;
      back.set(turn);
    }
  });
  std::uint32_t asked = 0;
  for (auto _ : state) {
    there.set(++asked);
    back.wait_until(asked);
  }
  there.set(last);
  other.join();
  report(state, asked, answered);
}

// The call alone, when no thread sleeps.
void nobody(benchmark::State& state) {
  word w;
  std::uint64_t calls = 0;
  std::uint64_t woke_nobody = 0;
  for (auto _ : state) {
    woke_nobody += w.wake() == 0;
    ++calls;
  }
  report(state, calls, woke_nobody);
}

BENCHMARK(round_trip)->Name("floor_wake/round_trip")->Apply(time_everything);
BENCHMARK(nobody)->Name("floor_wake/nobody_sleeps")->Apply(time_everything);

}  // namespace
}  // namespace tact::bench

BENCHMARK_MAIN();
