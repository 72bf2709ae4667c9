// What the benchmarks of the engine share: small engines, and a check that nothing went wrong on the way.
#pragma once

#include <tact/tact.hpp>

#include "micro/count.hpp"

namespace tact::bench {

inline engine_options small_engine(unsigned workers, unsigned shards) {
  engine_options options;
  options.workers = workers;
  options.shards = shards;
  return options;
}

// As report; a handler that threw or a message that no actor handled is an error too.
inline void report(benchmark::State& state, engine& engine, std::uint64_t sent, std::uint64_t handled) {
  engine.wait_idle();  // an answer reaches a thread before the handler that gave it has committed
  const statistics s = engine.statistics();
  if (s.failures + s.dead_letters + s.in_flight() != 0) {
    const std::string text = std::to_string(s.failures) + " handlers threw, " + std::to_string(s.dead_letters) +
                             " dead letters, " + std::to_string(s.in_flight()) + " messages in flight";
    return state.SkipWithError(text.c_str());
  }
  report(state, sent, handled);
}

}  // namespace tact::bench
