// Runs two pinned threads at the same time, again and again, and keeps only the trials in which both really ran.
#pragma once

#include <pthread.h>
#include <sched.h>
#include <time.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <thread>
#include <vector>

#include "micro/count.hpp"

namespace tact::bench {

struct trial {
  double wall_ns = 0;
  double busy = 0;           // of the busier-elsewhere thread: CPU time / wall time
  double round_trip_ns = 0;  // of a cache line, measured just before
};

// Part 0 and part 1 of a piece of work, each on its own processing unit.
class two_threads {
 public:
  static bool possible() { return units().size() >= 2; }

  template <class Work>
  static trial run(Work work) {
    two_threads both;
    std::thread other([&] { both.part(1, work); });
    std::thread one([&] { both.part(0, work); });
    one.join();
    other.join();
    trial t;
    t.wall_ns = std::max(both.end_[0], both.end_[1]) - std::min(both.begin_[0], both.begin_[1]);
    t.busy = std::min(both.cpu_[0], both.cpu_[1]) / t.wall_ns;
    t.round_trip_ns = both.round_trip_ns_;
    return t;
  }

 private:
  static constexpr int round_trips = 200;

  static std::vector<std::size_t> units() {
    cpu_set_t set;
    CPU_ZERO(&set);
    std::vector<std::size_t> all;
    if (sched_getaffinity(0, sizeof set, &set) != 0) return all;
    for (std::size_t i = 0; i < CPU_SETSIZE; ++i) {
      if (CPU_ISSET(i, &set)) all.push_back(i);
    }
    return all;
  }
  static void pin(unsigned me) {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(units()[me], &set);
    pthread_setaffinity_np(pthread_self(), sizeof set, &set);
  }
  static double now_ns() {
    return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now().time_since_epoch()).count();
  }
  static double cpu_ns() {
    timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) * 1e9 + static_cast<double>(t.tv_nsec);
  }

  template <class Work>
  void part(unsigned me, Work& work) {
    pin(me);
    const double began = now_ns();
    for (int i = 0; i < round_trips; ++i) {
      while (line_.load() != 2 * i + static_cast<int>(me)) {
      }
      line_.store(2 * i + static_cast<int>(me) + 1);
    }
    if (me == 0) round_trip_ns_ = (now_ns() - began) / round_trips;
    arrived_.fetch_add(1);
    while (arrived_.load() != 2) {
    }
    const double cpu = cpu_ns();
    begin_[me] = now_ns();
    work(me);
    end_[me] = now_ns();
    cpu_[me] = cpu_ns() - cpu;
  }

  alignas(128) std::atomic<int> line_{0};
  alignas(128) std::atomic<int> arrived_{0};
  alignas(128) double begin_[2];
  double end_[2];
  double cpu_[2];
  double round_trip_ns_ = 0;
};

// One iteration: 25 accepted trials, of which the median counts. `try_once` makes one trial and gives an empty wall
// time if its result was wrong. Line round trips below near_ns_max mean that both units share a cache.
inline void report_trials(benchmark::State& state, std::uint64_t messages, const std::function<trial()>& try_once) {
  constexpr unsigned wanted = 25;
  constexpr unsigned tries_max = 1500;
  constexpr double busy_min = 0.95;
  constexpr double near_ns_max = 250;
  if (!two_threads::possible()) return state.SkipWithError("not measured: needs two processing units");
  std::vector<double> near;
  std::vector<double> far;
  unsigned tries = 0;
  for (auto _ : state) {
    while (near.size() + far.size() < wanted && tries++ < tries_max) {
      const trial t = try_once();
      if (t.wall_ns == 0) return state.SkipWithError("messages were lost");
      if (t.busy >= busy_min) (t.round_trip_ns < near_ns_max ? near : far).push_back(t.wall_ns);
    }
    auto& chosen = near.size() > far.size() ? near : far;
    if (chosen.empty()) return state.SkipWithError("not measured: the two threads never ran at the same time");
    std::nth_element(chosen.begin(), chosen.begin() + static_cast<std::ptrdiff_t>(chosen.size() / 2), chosen.end());
    state.SetIterationTime(chosen[chosen.size() / 2] * 1e-9);
    state.SetLabel(near.size() > far.size() ? "near" : "far");
  }
  state.counters["near"] = static_cast<double>(near.size());
  state.counters["far"] = static_cast<double>(far.size());
  state.counters["tries"] = tries;
  report(state, messages, messages);
}

}  // namespace tact::bench
