// How a benchmark says what it did: messages counted where they were handled, against those that were sent.
#pragma once

#include <benchmark/benchmark.h>

#include <cstdint>
#include <string>

namespace tact::bench {

// Wall time and the CPU time of all threads: what the workers burn counts, and so does what they sleep.
inline void time_everything(benchmark::internal::Benchmark* b) { b->UseRealTime()->MeasureProcessCPUTime(); }

// After the loop. `handled` was counted by the handlers; a difference is an error, and the figures are dropped.
inline void report(benchmark::State& state, std::uint64_t sent, std::uint64_t handled) {
  if (sent != handled || handled == 0) {
    const std::string text = "sent " + std::to_string(sent) + " messages, handled " + std::to_string(handled);
    return state.SkipWithError(text.c_str());
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(handled));
  using benchmark::Counter;
  state.counters["per_msg"] = Counter(static_cast<double>(handled), Counter::kIsRate | Counter::kInvert);
}

}  // namespace tact::bench
