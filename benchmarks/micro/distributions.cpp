// What a value costs in a distribution, and in one that others read meanwhile; and what reading costs.
#include <array>
#include <cmath>
#include <cstdint>
#include <random>
#include <tact/inspect/shared_distribution.hpp>

#include "micro/engine_run.hpp"

namespace tact::bench {
namespace {

// Times of handlers, as it were: between 0.1 and 100 µs, each magnitude as probable as the others.
std::array<std::uint64_t, 4096> made_values() {
  std::array<std::uint64_t, 4096> all{};
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> magnitude(2, 5);
  for (std::uint64_t& v : all) v = static_cast<std::uint64_t>(std::pow(10.0, magnitude(random)));
  return all;
}

template <class Distribution>
void record_values(benchmark::State& state) {
  const auto values = made_values();
  Distribution all;
  for (auto _ : state) {
    for (const std::uint64_t v : values) all.record(v);
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(values.size()));
}

distribution filled() {
  distribution all;
  for (const std::uint64_t v : made_values()) all.record(v);
  return all;
}

void read_shared(benchmark::State& state) {
  inspect::shared_distribution all;
  for (const std::uint64_t v : made_values()) all.record(v);
  for (auto _ : state) benchmark::DoNotOptimize(all.read());
}

void find_median(benchmark::State& state) {
  const distribution all = filled();
  for (auto _ : state) benchmark::DoNotOptimize(all.median());
}

void find_deviation(benchmark::State& state) {
  const distribution all = filled();
  for (auto _ : state) benchmark::DoNotOptimize(all.median_deviation());
}

void merge_two(benchmark::State& state) {
  distribution all = filled();
  const distribution more = filled();
  for (auto _ : state) all.merge(more);
  benchmark::DoNotOptimize(all);
}

}  // namespace
}  // namespace tact::bench

int main(int argc, char** argv) {
  using namespace tact::bench;
  time_everything(benchmark::RegisterBenchmark("distributions/record/own", &record_values<tact::distribution>));
  time_everything(
      benchmark::RegisterBenchmark("distributions/record/shared", &record_values<tact::inspect::shared_distribution>));
  time_everything(benchmark::RegisterBenchmark("distributions/read/shared", &read_shared));
  time_everything(benchmark::RegisterBenchmark("distributions/median", &find_median));
  time_everything(benchmark::RegisterBenchmark("distributions/median_deviation", &find_deviation));
  time_everything(benchmark::RegisterBenchmark("distributions/merge", &merge_two));
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
