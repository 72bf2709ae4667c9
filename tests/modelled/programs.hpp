// Programs in a model, for tests: what they cost, and how their threads meet.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "support/catch.hpp"
#include "tact/model.hpp"

namespace tact::modelled_tests {

// A machine on which nothing costs anything but what a program spends, sleeps, and spins.
inline model_costs no_costs() {
  return {.block = 0,
          .access = 0,
          .update = 0,
          .l2 = 0,
          .both_busy = 1,
          .l3 = 0,
          .same_l3 = 0,
          .same_package = 0,
          .other_package = 0,
          .memory = 0,
          .other_memory = 0,
          .hop = 0,
          .clock = 0,
          .sleep = 0,
          .wake_none = 0,
          .wake = 0,
          .woken = 0,
          .woken_idle = 0,
          .barrier = 0,
          .allocate = 0,
          .fault = 0,
          .start = 0};
}

// Four cores behind one cache.
inline model_options small_options() { return {.machine = "l3:1 core:4 pu:1"}; }
inline model_options free_options(const std::string& machine = "l3:1 core:4 pu:1") {
  return {.machine = machine, .costs = no_costs()};
}

// How long the program takes, in virtual ns.
inline double ns_of(const model_options& options, const std::function<void()>& program) {
  return model::run(options, program).seconds * 1e9;
}

inline double ns_since(std::chrono::steady_clock::time_point then) {
  return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - then).count();
}

// Works so long, in steps of a microsecond, so that others may have the processing unit meanwhile.
inline void work_ns(double ns) {
  for (; ns > 0; ns -= 1'000) model::spend_ns(1'000);
}

// Runs f(0) to f(count - 1) on a thread each, and waits for them.
template <class F>
void on_threads(unsigned count, F f) {
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < count; ++i) threads.emplace_back([&f, i] { f(i); });
  for (std::thread& t : threads) t.join();
}

// Where so many threads meet; all go on when the last has come.
class meeting {
 public:
  explicit meeting(unsigned parties) : missing_(parties) {}
  void join() {
    std::unique_lock lock(mutex_);
    if (--missing_ == 0) complete_.notify_all();
    complete_.wait(lock, [&] { return missing_ == 0; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable complete_;
  unsigned missing_;
};

}  // namespace tact::modelled_tests
