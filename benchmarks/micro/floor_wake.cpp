// Floors of waking: a thread that sleeps in the kernel is woken, and wakes the one that woke it.
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <climits>
#include <thread>

#include "micro/count.hpp"

namespace tact::bench {
namespace {

struct alignas(128) word {
  std::atomic<std::uint32_t> value{0};

  void wait_until(std::uint32_t wanted) {
    for (std::uint32_t seen; (seen = value.load()) != wanted;) {
      syscall(SYS_futex, &value, FUTEX_WAIT_PRIVATE, seen, nullptr, nullptr, 0);
    }
  }
  void set(std::uint32_t to) {
    value.store(to);
    wake();
  }
  long wake() { return syscall(SYS_futex, &value, FUTEX_WAKE_PRIVATE, INT_MAX, nullptr, nullptr, 0); }
};

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
        syscall(SYS_futex, &there.value, FUTEX_WAIT_PRIVATE, seen, nullptr, nullptr, 0);
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

// The call alone, when nobody sleeps.
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
