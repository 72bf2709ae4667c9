// What a step costs in tact::vector and tact::queue, beside std::vector and std::deque: with 10 and 1,000 entries, with
// --most as the first word with a million, too; entries are numbers, texts, and links that a program counts.
// Places come in random order. A queue keeps its size: each step puts an entry in and takes one out. In the row
// "becomes" each change makes the next version, and the one before it ends; in "kept" the old version stays, and is
// the one that is changed each time.
#include <algorithm>
#include <cstdint>
#include <deque>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <tact/data/queue.hpp>
#include <tact/data/vector.hpp>
#include <utility>
#include <vector>

#include "micro/engine_run.hpp"

namespace tact::bench {
namespace {

using text = std::string;
using counted_link = std::shared_ptr<const int>;

template <class T>
T made(std::size_t number) {
  if constexpr (std::is_same_v<T, text>) {
    return "the entry number " + std::to_string(number);
  } else if constexpr (std::is_same_v<T, counted_link>) {
    return std::make_shared<const int>(static_cast<int>(number));
  } else {
    return static_cast<T>(number);
  }
}
template <class T>
bool has_number(const T& entry, std::size_t number) {
  if constexpr (std::is_same_v<T, counted_link>) {
    return *entry == static_cast<int>(number);
  } else if constexpr (std::is_same_v<T, text>) {
    return entry.size() >= 18;
  } else {
    return entry == static_cast<T>(number);
  }
}

// Of so many steps an iteration.
void report_steps(benchmark::State& state, std::size_t steps) {
  using benchmark::Counter;
  state.counters["per_step"] =
      Counter(static_cast<double>(steps), Counter::kIsIterationInvariantRate | Counter::kInvert);
}
std::vector<std::uint32_t> places(std::size_t below) {
  std::mt19937 random(1);
  // Many more than the processor's predictors of branches keep in mind.
  std::vector<std::uint32_t> all(std::max<std::size_t>(below, 20'000));
  for (auto& p : all) p = static_cast<std::uint32_t>(random() % below);
  return all;
}

template <class Row>
Row filled(std::size_t n) {
  Row all;
  for (std::size_t i = 0; i < n; ++i) all.push_back(made<typename Row::value_type>(i));
  return all;
}

template <class Row>
void get(benchmark::State& state, std::size_t n) {
  const Row all = filled<Row>(n);
  const auto at = places(n);
  for (auto _ : state) {
    std::size_t right = 0;
    for (const std::uint32_t p : at) right += has_number(all[p], p) ? 1 : 0;
    if (right != at.size()) state.SkipWithError("an entry was not at its place");
  }
  report_steps(state, at.size());
}
template <class Row>
void walk(benchmark::State& state, std::size_t n) {
  const Row all = filled<Row>(n);
  for (auto _ : state) {
    std::size_t right = 0;
    std::size_t at = 0;
    for (const auto& e : all) right += has_number(e, at++) ? 1 : 0;
    if (right != n) state.SkipWithError("an entry was left out");
  }
  report_steps(state, n);
}
template <class Row>
void push(benchmark::State& state, std::size_t n) {
  const auto entry = made<typename Row::value_type>(1);
  for (auto _ : state) {
    Row all;
    for (std::size_t i = 0; i < n; ++i) all.push_back(entry);
    benchmark::DoNotOptimize(all);
  }
  report_steps(state, n);
}
template <class T>
void push_sole(benchmark::State& state, std::size_t n) {
  const T entry = made<T>(1);
  for (auto _ : state) {
    vector<T> all;
    for (std::size_t i = 0; i < n; ++i) all = std::move(all).push_back(entry);
    benchmark::DoNotOptimize(all);
  }
  report_steps(state, n);
}
template <class T>
void push_becomes(benchmark::State& state, std::size_t n) {
  const T entry = made<T>(1);
  for (auto _ : state) {
    vector<T> all;
    for (std::size_t i = 0; i < n; ++i) all = all.push_back(entry);
    benchmark::DoNotOptimize(all);
  }
  report_steps(state, n);
}
template <class Row>
void set_sole(benchmark::State& state, std::size_t n) {
  Row all = filled<Row>(n);
  using value = typename Row::value_type;
  const value entries[] = {made<value>(n + 1), made<value>(n + 2)};
  const auto at = places(n);
  std::size_t round = 0;
  for (auto _ : state) {
    const value& entry = entries[++round % 2];
    for (const std::uint32_t p : at) {
      if constexpr (requires { all.set(p, entry); }) {
        all.set(p, entry);
      } else {
        all[p] = entry;
      }
    }
    benchmark::ClobberMemory();
  }
  report_steps(state, at.size());
}
template <class T>
void set_kept(benchmark::State& state, std::size_t n) {
  const auto all = filled<transient_vector<T>>(n).persistent();
  const T entry = made<T>(n + 1);
  const auto at = places(n);
  for (auto _ : state) {
    for (const std::uint32_t p : at) benchmark::DoNotOptimize(all.set(p, entry));
  }
  report_steps(state, at.size());
}

// -- queues

template <class T>
queue<T> filled_queue(std::size_t n) {
  queue<T> q;
  for (std::size_t i = 0; i < n; ++i) q = std::move(q).push_back(made<T>(i));
  return q;
}
template <class T>
void pass_becomes(benchmark::State& state, std::size_t n) {
  auto q = filled_queue<T>(n);
  const T entry = made<T>(1);
  for (auto _ : state) {
    for (std::size_t i = 0; i < n; ++i) {
      q = q.push_back(entry);
      q = q.pop_front();
    }
  }
  report_steps(state, n);
}
template <class T>
void pass_kept(benchmark::State& state, std::size_t n) {
  auto q = filled_queue<T>(n);
  const T entry = made<T>(1);
  for (std::size_t i = 0; i < n; ++i) q = q.push_back(entry).pop_front();
  for (auto _ : state) benchmark::DoNotOptimize(q.push_back(entry).pop_front());
}
template <class T>
void pass_sole(benchmark::State& state, std::size_t n) {
  queue<T> q = filled_queue<T>(n);
  const T entry = made<T>(1);
  for (auto _ : state) {
    for (std::size_t i = 0; i < n; ++i) {
      q = std::move(q).push_back(entry);
      q = std::move(q).pop_front();
    }
  }
  report_steps(state, n);
}
template <class T>
void pass_standard(benchmark::State& state, std::size_t n) {
  auto q = filled<std::deque<T>>(n);
  const T entry = made<T>(1);
  for (auto _ : state) {
    for (std::size_t i = 0; i < n; ++i) {
      q.push_back(entry);
      q.pop_front();
    }
    benchmark::ClobberMemory();
  }
  report_steps(state, n);
}
template <class T>
void walk_queue(benchmark::State& state, std::size_t n) {
  const auto q = filled_queue<T>(n);
  for (auto _ : state) {
    std::size_t right = 0;
    std::size_t at = 0;
    for (const auto& e : q) right += has_number(e, at++) ? 1 : 0;
    if (right != n) state.SkipWithError("an entry was left out");
  }
  report_steps(state, n);
}

using step = void (*)(benchmark::State&, std::size_t);

template <class T>
void register_all(const std::string& of, bool is_long) {
  using ours = transient_vector<T>;
  using theirs = std::vector<T>;
  const std::pair<const char*, step> steps[] = {
      {"get/std", &get<theirs>},
      {"get/tact", &get<ours>},
      {"walk/std", &walk<theirs>},
      {"walk/tact", &walk<ours>},
      {"push/std", &push<theirs>},
      {"push/tact/transient", &push<ours>},
      {"push/tact/sole", &push_sole<T>},
      {"push/tact/becomes", &push_becomes<T>},
      {"set/std", &set_sole<theirs>},
      {"set/tact/sole", &set_sole<ours>},
      {"set/tact/kept", &set_kept<T>},
      {"queue/walk/std", &walk<std::deque<T>>},
      {"queue/walk/tact", &walk_queue<T>},
      {"queue/pass/std", &pass_standard<T>},
      {"queue/pass/tact/sole", &pass_sole<T>},
      {"queue/pass/tact/becomes", &pass_becomes<T>},
      {"queue/pass/tact/kept", &pass_kept<T>},
  };
  for (const std::size_t n : {10, 1'000, 1'000'000}) {
    if (n > 1'000 && !is_long) continue;
    for (const auto& [name, run] : steps) {
      time_everything(benchmark::RegisterBenchmark(("sequences/" + of + "/" + name + "/" + std::to_string(n)).c_str(),
                                                   [run = run, n](benchmark::State& state) { run(state, n); }));
    }
  }
}

}  // namespace
}  // namespace tact::bench

int main(int argc, char** argv) {
  const bool is_long = argc > 1 && std::string_view(argv[1]) == "--most";
  tact::bench::register_all<std::int64_t>("numbers", is_long);
  tact::bench::register_all<tact::bench::text>("texts", is_long);
  tact::bench::register_all<tact::bench::counted_link>("links", is_long);
  if (is_long) std::swap(argv[0], argv[1]);
  int left = is_long ? argc - 1 : argc;
  benchmark::Initialize(&left, is_long ? argv + 1 : argv);
  benchmark::RunSpecifiedBenchmarks();
}
