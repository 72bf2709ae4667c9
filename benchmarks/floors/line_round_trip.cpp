// How near two processing units are: a cache line goes to and fro between two pinned threads.
#include <pthread.h>
#include <sched.h>

#include <algorithm>
#include <atomic>
#include <limits>
#include <thread>
#include <vector>

#include "programs/program.hpp"

namespace bench {
namespace {

std::vector<std::size_t> units() {
  cpu_set_t set;
  CPU_ZERO(&set);
  std::vector<std::size_t> all;
  if (sched_getaffinity(0, sizeof set, &set) != 0) return all;
  for (std::size_t i = 0; i < CPU_SETSIZE; ++i) {
    if (CPU_ISSET(i, &set)) all.push_back(i);
  }
  return all;
}

void pin(std::size_t unit) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(unit, &set);
  pthread_setaffinity_np(pthread_self(), sizeof set, &set);
}

// The quickest batch counts: in the others the threads did not run at the same time.
int run(program& p) {
  const auto batches = p.number("batches", 200, 20, "batches");
  const auto trips = p.number("trips", 1000, 100, "round trips of a batch");
  p.ready();
  const auto on = units();
  p.require(on.size() >= 2, "there is only one processing unit");

  alignas(128) std::atomic<std::uint64_t> line{0};
  double best_ns = std::numeric_limits<double>::max();
  std::uint64_t turns = 0;
  stopwatch watch;
  std::thread other([&] {
    pin(on[1]);
    for (std::uint64_t i = 0; i < batches * trips; ++i) {
      while (line.load(std::memory_order_acquire) != 2 * i + 1) {
      }
      line.store(2 * i + 2, std::memory_order_release);
    }
  });
  pin(on[0]);
  for (std::uint64_t b = 0; b < batches; ++b) {
    stopwatch batch;
    for (std::uint64_t i = 0; i < trips; ++i, ++turns) {
      line.store(2 * turns + 1, std::memory_order_release);
      while (line.load(std::memory_order_acquire) != 2 * turns + 2) {
      }
    }
    batch.stop();
    best_ns = std::min(best_ns, batch.seconds() * 1e9 / static_cast<double>(trips));
  }
  other.join();
  watch.stop();

  constexpr double near_ns_max = 200;
  p.say("line", std::to_string(static_cast<long>(best_ns + 0.5)) + "ns");
  p.say("units", best_ns < near_ns_max ? "near" : "far");
  p.check_equal(line, 2 * batches * trips, "turns");
  return p.report(watch, 2 * batches * trips);
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  bench::program p(argc, argv, "How long a cache line takes to another processing unit and back.", "two threads");
  return bench::run(p);
}
