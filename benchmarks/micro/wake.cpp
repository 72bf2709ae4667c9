// Waking a worker that sleeps: from a send to the beginning of the handler, against a bare futex wake of the same run.
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <climits>
#include <functional>
#include <thread>
#include <vector>

#include "micro/engine_run.hpp"

namespace tact::bench {
namespace {

using clock = std::chrono::steady_clock;

constexpr std::size_t samples = 2000;

double ns_between(clock::time_point a, clock::time_point b) {
  return std::chrono::duration<double, std::nano>(b - a).count();
}

double percentile(std::vector<double>& all, double p) {
  const auto at = all.begin() + static_cast<std::ptrdiff_t>(static_cast<double>(all.size() - 1) * p);
  std::nth_element(all.begin(), at, all.end());
  return *at;
}

// Sender and sleeper stay on two processing units: waking one on the sender's own takes a fifth of the time.
bool pin_to(int unit) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(static_cast<std::size_t>(unit), &set);
  return pthread_setaffinity_np(pthread_self(), sizeof set, &set) == 0;
}

// One that this process may use, other than `unit`; -1: there is none.
int other_unit(int unit) {
  static const cpu_set_t allowed = [] {
    cpu_set_t set;
    CPU_ZERO(&set);
    sched_getaffinity(0, sizeof set, &set);
    return set;
  }();
  for (int i = 0; i < CPU_SETSIZE; ++i) {
    if (i != unit && CPU_ISSET(static_cast<std::size_t>(i), &allowed)) return i;
  }
  return -1;
}

// A thread that has said that it is about to sleep, does: the same pause before each sample, with tact and without.
void settle() {
  const timespec pause{0, 50'000};
  nanosleep(&pause, nullptr);
}

// A thread that sleeps on a word and notes when it was woken.
class bare_sleeper {
 public:
  explicit bare_sleeper(int unit)
      : thread_([this, unit] {
          pin_to(unit);
          loop();
        }) {}
  ~bare_sleeper() {
    stop_ = true;
    wake();
    thread_.join();
  }
  double sample() {
    while (!sleeps_) std::this_thread::yield();
    settle();
    const auto before = clock::now();
    const std::uint32_t seen = answers_;
    wake();
    answers_.wait(seen);
    return ns_between(before, woken_);
  }

 private:
  void wake() {
    sleeps_ = false;
    word_.fetch_add(1);
    syscall(SYS_futex, &word_, FUTEX_WAKE_PRIVATE, INT_MAX, nullptr, nullptr, 0);
  }
  void loop() {
    for (std::uint32_t seen = 0; !stop_;) {
      sleeps_ = true;
      while (word_ == seen) syscall(SYS_futex, &word_, FUTEX_WAIT_PRIVATE, seen, nullptr, nullptr, 0);
      woken_ = clock::now();
      seen = word_;
      answers_.fetch_add(1);
      answers_.notify_one();
    }
  }

  alignas(128) std::atomic<std::uint32_t> word_{0};
  alignas(128) std::atomic<std::uint32_t> answers_{0};
  std::atomic<bool> sleeps_{false};
  std::atomic<bool> stop_{false};
  clock::time_point woken_;
  std::thread thread_;
};

// Bare and with tact in turns, so that both meet the same load.
void compare(benchmark::State& state, int from, int to, const std::function<double()>& sample) {
  if (from < 0 || from == to || !pin_to(from)) return state.SkipWithError("not measured: needs two processing units");
  bare_sleeper bare(to);
  std::vector<double> floor, own;
  for (auto _ : state) {
    floor.push_back(bare.sample());
    own.push_back(sample());
    state.SetIterationTime(own.back() * 1e-9);
  }
  for (const auto& [name, p] : {std::pair("p50", 0.5), std::pair("p99", 0.99)}) {
    const double with_tact = percentile(own, p), without = percentile(floor, p);
    state.counters[std::string(name) + "_ns"] = with_tact;
    state.counters[std::string(name) + "_floor_ns"] = without;
    state.counters[std::string(name) + "_ratio"] = with_tact / without;
  }
  report(state, own.size(), own.size());
}

// -- the actors

struct tap {
  clock::time_point sent;
};
struct post {};
struct chore {};
struct where {
  using reply = int;  // the processing unit of its worker
};

struct desk {
  std::atomic<std::uint32_t> taps{0};
  double last_ns = 0;
};

struct member : protocol<tap, post, chore, request<where>> {};

behavior<member> open_member(desk& d, const ref<member>& far, const ref<member>& near) {
  return {
      [&d](auto&, const tap& m) {
        d.last_ns = ns_between(m.sent, clock::now());
        d.taps.fetch_add(1);
        d.taps.notify_one();
      },
      [&far, &near](auto& self, const post&) {
        self.send(far, tap{clock::now()});
        self.send(near, chore{});
      },
      [](auto&, const chore&) {
        for (int i = 0; i < 1000; ++i) benchmark::DoNotOptimize(i);
      },
      [](auto& self, const request<where>& m) { self.reply(m, sched_getcpu()); },
  };
}

engine_options pinned_engine(unsigned workers, victim_policy victims) {
  auto options = small_engine(workers, 0);
  options.pin_workers = pinning::on;
  options.victims = std::move(victims);
  return options;
}

void wait_until_all_sleep(engine& e) {
  for (auto s = e.statistics(); s.parks - s.wakes != s.workers; s = e.statistics()) std::this_thread::yield();
  settle();
}

// A thread outside sends to an actor whose worker sleeps, as do all others.
void from_thread(benchmark::State& state) {
  if (other_unit(other_unit(-1)) < 0) return state.SkipWithError("not measured: needs two processing units");
  engine e(pinned_engine(static_cast<unsigned>(state.range(0)), &longest_victim));
  desk d;
  const ref<member> nobody;
  const auto to = e.create(open_member(d, nobody, nobody));
  const int unit = e.ask(to, where{});
  compare(state, other_unit(unit), unit, [&] {
    wait_until_all_sleep(e);
    const std::uint32_t seen = d.taps;
    e.send(to, tap{clock::now()});
    d.taps.wait(seen);
    return d.last_ns;
  });
}

// A handler sends to an actor of the other worker, which sleeps, and then to one of its own: the message that it goes
// on with itself is that one. No worker steals.
void from_worker(benchmark::State& state) {
  if (other_unit(other_unit(-1)) < 0) return state.SkipWithError("not measured: needs two processing units");
  engine e(pinned_engine(2, no_victim));
  desk d;
  ref<member> first, far, near;
  int here = -1, there = -1;
  while (!far || !near) {
    const auto m = e.create(open_member(d, far, near));
    wait_until_all_sleep(e);
    const int unit = e.ask(m, where{});
    if (!first) {
      first = m;
      here = unit;
    } else if (unit == here) {
      near = m;
    } else {
      far = m;
      there = unit;
    }
  }
  compare(state, here, there, [&] {
    wait_until_all_sleep(e);
    const std::uint32_t seen = d.taps;
    e.send(first, post{});
    d.taps.wait(seen);
    return d.last_ns;
  });
}

BENCHMARK(from_thread)->Name("wake/thread")->Arg(1)->Arg(2)->UseManualTime()->Iterations(samples);
BENCHMARK(from_worker)->Name("wake/worker")->UseManualTime()->Iterations(samples);

}  // namespace
}  // namespace tact::bench

BENCHMARK_MAIN();
