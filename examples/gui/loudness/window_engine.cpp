#include "window_engine.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <exception>
#include <thread>

namespace loudness {
namespace {

// A shard for each analyst, also while those of the survey before still end, and for the tracer.
tact::engine_options options_of_engine() {
  tact::engine_options options;
  options.heavy_shards = 2 * std::max(1U, std::thread::hardware_concurrency()) + 1;
  return options;
}

}  // namespace

// Threads inherit how nice they are from the one that starts them, and Linux counts that for each thread. With ten
// others get ten times the time of a worker, when there is not enough for all; when there is, a worker is as fast as
// ever. A thread cannot take it back, so another one than the window's starts them.
window_engine::window_engine() {
  std::exception_ptr failure;
  std::thread([&] {
    try {
      ::setpriority(PRIO_PROCESS, 0, 10);
      engine_ = std::make_unique<tact::engine>(options_of_engine());
    } catch (...) {
      failure = std::current_exception();
    }
  }).join();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace loudness
