// What it takes to turn values into bytes and back: a small struct, a list of structs, and numbers in a row, beside a
// copy of their bytes.
#include <cstdint>
#include <cstring>
#include <map>
#include <string>
#include <tact/codec/codec.hpp>
#include <tact/codec/key.hpp>
#include <utility>
#include <vector>

#include "micro/count.hpp"

namespace tact::bench {
namespace {

struct sample {
  long number = 0;
  double weight = 0;
  std::string name;
};
struct sample_of_today {
  std::string name;
  double weight = 0;
  long number = 0;
  int added = 0;
};

sample small() { return {.number = 123456789, .weight = 0.25, .name = "a short name"}; }

template <class T>
T made();
template <>
sample made() {
  return small();
}
template <>
std::vector<sample> made() {
  return std::vector<sample>(1000, small());
}
template <>
std::vector<long> made() {
  return std::vector<long>(10'000, 7);
}
template <>
std::map<std::string, long> made() {
  std::map<std::string, long> all;
  for (long i = 0; i < 1000; ++i) all.emplace("the key number " + std::to_string(i), i);
  return all;
}

template <class T>
void encoded(benchmark::State& state) {
  const T value = made<T>();
  for (auto _ : state) benchmark::DoNotOptimize(encode(value));
}
// Into memory that is there already, as a store does.
template <class T>
void appended(benchmark::State& state) {
  const T value = made<T>();
  std::string bytes;
  for (auto _ : state) {
    bytes.clear();
    encode_compact_into(bytes, value);
    benchmark::DoNotOptimize(bytes.data());
  }
}
template <class T>
void decoded(benchmark::State& state) {
  const std::string bytes = encode(made<T>());
  for (auto _ : state) benchmark::DoNotOptimize(decode<T>(bytes));
}
template <class From, class To>
void migrated(benchmark::State& state) {
  const std::string bytes = encode(made<From>());
  for (auto _ : state) benchmark::DoNotOptimize(decode<To>(bytes));
}

// The floor: memory is taken, and bytes are copied.
void copied(benchmark::State& state) {
  const auto value = made<std::vector<long>>();
  for (auto _ : state) {
    std::string bytes(reinterpret_cast<const char*>(value.data()), value.size() * sizeof(long));
    benchmark::DoNotOptimize(bytes.data());
  }
}
void key_made(benchmark::State& state) {
  const std::pair<std::string, long> key("a short name", 7);
  std::string bytes;
  for (auto _ : state) {
    bytes.clear();
    encode_key_into(bytes, key);
    benchmark::DoNotOptimize(bytes.data());
  }
}

BENCHMARK(encoded<sample>)->Name("codec/struct/encode");
BENCHMARK(appended<sample>)->Name("codec/struct/append");
BENCHMARK(decoded<sample>)->Name("codec/struct/decode");
BENCHMARK(migrated<sample, sample_of_today>)->Name("codec/struct/migrate");
BENCHMARK(encoded<std::vector<sample>>)->Name("codec/1000_structs/encode");
BENCHMARK(decoded<std::vector<sample>>)->Name("codec/1000_structs/decode");
BENCHMARK(migrated<std::vector<sample>, std::vector<sample_of_today>>)->Name("codec/1000_structs/migrate");
BENCHMARK(copied)->Name("codec/10000_numbers/copy");
BENCHMARK(encoded<std::vector<long>>)->Name("codec/10000_numbers/encode");
BENCHMARK(decoded<std::vector<long>>)->Name("codec/10000_numbers/decode");
BENCHMARK(encoded<std::map<std::string, long>>)->Name("codec/map_of_1000/encode");
BENCHMARK(decoded<std::map<std::string, long>>)->Name("codec/map_of_1000/decode");
BENCHMARK(key_made)->Name("codec/key/append");

}  // namespace
}  // namespace tact::bench

BENCHMARK_MAIN();
