// What a step costs in tact::map and tact::hash_map, beside the same in std::map and std::unordered_map: with 10 to
// 10,000 entries, with --most as the first word up to a million; numbers and texts as keys.
// Keys come in random order, and are looked for in another one; "warm" looks for the same 1,000 again and again, "cold"
// finds in one of so many tables that all have a million entries, so none is in the cache. "rank" and "nth" say the
// place of a key, and the entry of a place. "one" inserts a key and takes it back, so the size stays as it is: in the
// old table alone (kept), in the newest of many (becomes), and in a table of which there is no copy (sole). The tables
// of the standard library have one way only.
#include <algorithm>
#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <string_view>
#include <tact/data/hash_map.hpp>
#include <tact/data/map.hpp>
#include <unordered_map>
#include <utility>
#include <vector>

#include "micro/engine_run.hpp"

namespace tact::bench {
namespace {

template <class Key>
Key made_key(std::uint64_t number) {
  if constexpr (std::is_same_v<Key, std::string>) {
    return "the key number " + std::to_string(number);
  } else {
    return static_cast<Key>(number);
  }
}

template <class Key>
std::vector<Key> made(std::size_t n, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<Key> all;
  for (std::size_t i = 0; i < n; ++i) all.push_back(made_key<Key>(random()));
  return all;
}

template <class Key>
struct keys {
  explicit keys(std::size_t n) : there(made<Key>(n, 1)), others(made<Key>(20'000, 2)) {
    std::mt19937_64 random(3);
    // Many more than the processor's predictors of branches keep in mind.
    for (std::size_t i = 0; i < std::max<std::size_t>(n, 200'000); ++i) looked_for.push_back(&there[random() % n]);
  }
  std::vector<Key> there;
  std::vector<Key> others;
  std::vector<const Key*> looked_for;
};

template <class Key>
using sorted = transient_map<Key, std::int64_t>;
template <class Key>
using sorted_std = std::map<Key, std::int64_t>;
template <class Key>
using hashed = transient_hash_map<Key, std::int64_t>;
template <class Key>
using hashed_std = std::unordered_map<Key, std::int64_t>;

template <class Table, class Key>
void add(Table& to, const Key& k) {
  if constexpr (requires { to.persistent(); }) {
    to.insert(k, 1);
  } else {
    to.emplace(k, 1);
  }
}

// Of so many steps an iteration.
void report_steps(benchmark::State& state, std::size_t steps) {
  using benchmark::Counter;
  state.counters["per_step"] =
      Counter(static_cast<double>(steps), Counter::kIsIterationInvariantRate | Counter::kInvert);
}

template <template <class> class Table, class Key>
Table<Key> filled(const std::vector<Key>& from) {
  Table<Key> all;
  for (const Key& k : from) add(all, k);
  return all;
}

template <template <class> class Table, class Key>
void build(benchmark::State& state, std::size_t n) {
  const keys<Key> from(n);
  for (auto _ : state) benchmark::DoNotOptimize(filled<Table>(from.there));
  report_steps(state, n);
}

template <template <class> class Table, class Key>
void find_some(benchmark::State& state, std::size_t n, std::size_t most) {
  keys<Key> from(n);
  from.looked_for.resize(std::min(from.looked_for.size(), most));
  const auto all = filled<Table>(from.there);
  for (auto _ : state) {
    std::int64_t sum = 0;
    for (const Key* k : from.looked_for) sum += all.find(*k)->second;
    if (sum != static_cast<std::int64_t>(from.looked_for.size())) state.SkipWithError("a key was not found");
  }
  report_steps(state, from.looked_for.size());
}
template <template <class> class Table, class Key>
void find(benchmark::State& state, std::size_t n) {
  find_some<Table, Key>(state, n, std::max<std::size_t>(n, 200'000));
}
template <template <class> class Table, class Key>
void find_warm(benchmark::State& state, std::size_t n) {
  find_some<Table, Key>(state, n, 1000);
}

template <class Key>
void rank(benchmark::State& state, std::size_t n) {
  const keys<Key> from(n);
  const auto all = filled<sorted>(from.there);
  std::size_t highest = 0;
  for (auto _ : state) {
    for (const Key* k : from.looked_for) highest = std::max(highest, all.rank(*k));
  }
  if (highest >= n) state.SkipWithError("a key has a place behind the last");
  report_steps(state, from.looked_for.size());
}
template <class Key>
void nth(benchmark::State& state, std::size_t n) {
  const keys<Key> from(n);
  const auto all = filled<sorted>(from.there);
  std::mt19937_64 random(2);
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < from.looked_for.size(); ++i) places.push_back(random() % n);
  for (auto _ : state) {
    std::int64_t sum = 0;
    for (const std::size_t place : places) sum += all.nth(place)->second;
    if (sum != static_cast<std::int64_t>(places.size())) state.SkipWithError("a place has no entry");
  }
  report_steps(state, places.size());
}

template <template <class> class Table, class Key>
void find_cold(benchmark::State& state, std::size_t n) {
  std::vector<std::vector<Key>> from;
  std::vector<Table<Key>> all;
  std::mt19937_64 random(2);
  for (std::size_t left = std::max<std::size_t>(1'000'000 / n, 1); left != 0; --left)
    all.push_back(filled<Table>(from.emplace_back(made<Key>(n, random()))));
  std::vector<std::pair<const Table<Key>*, const Key*>> looks;
  for (int i = 0; i < 500'000; ++i) {
    const std::size_t which = random() % all.size();
    looks.emplace_back(&all[which], &from[which][random() % n]);
  }
  for (auto _ : state) {
    std::int64_t sum = 0;
    for (const auto& [table, k] : looks) sum += table->find(*k)->second;
    if (sum != static_cast<std::int64_t>(looks.size())) state.SkipWithError("a key was not found");
  }
  report_steps(state, looks.size());
}

template <template <class> class Table, class Key>
void walk(benchmark::State& state, std::size_t n) {
  const keys<Key> from(n);
  const auto all = filled<Table>(from.there);
  for (auto _ : state) {
    std::int64_t sum = 0;
    for (const auto& [k, v] : all) sum += v;
    if (sum != static_cast<std::int64_t>(all.size())) state.SkipWithError("an entry was left out");
  }
  report_steps(state, n);
}

template <template <class> class Table, class Key>
void change_sole(benchmark::State& state, std::size_t n) {
  const keys<Key> from(n);
  auto all = filled<Table>(from.there);
  for (auto _ : state) {
    for (const Key& k : from.others) add(all, k);
    for (const Key& k : from.others) all.erase(k);
  }
  report_steps(state, 2 * from.others.size());
}

template <template <class> class Table, class Key>
void change_kept(benchmark::State& state, std::size_t n) {
  const keys<Key> from(n);
  const auto all = filled<Table>(from.there).persistent();
  for (auto _ : state) {
    for (const Key& k : from.others) benchmark::DoNotOptimize(all.insert(k, 1));
  }
  report_steps(state, from.others.size());
}

template <template <class> class Table, class Key>
void become(benchmark::State& state, std::size_t n) {
  const keys<Key> from(n);
  auto all = filled<Table>(from.there).persistent();
  for (auto _ : state) {
    for (const Key& k : from.others) all = all.insert(k, 1);
    for (const Key& k : from.others) all = all.erase(k);
  }
  report_steps(state, 2 * from.others.size());
}

using step = void (*)(benchmark::State&, std::size_t);

using named_steps = std::vector<std::pair<const char*, step>>;

void register_steps(const std::string& of, std::size_t most, const named_steps& steps) {
  for (std::size_t n = 10; n <= most; n *= 10) {
    for (const auto& [name, run] : steps) {
      time_everything(benchmark::RegisterBenchmark(("tables/" + of + "/" + name + "/" + std::to_string(n)).c_str(),
                                                   [run = run, n](benchmark::State& state) { run(state, n); }));
    }
  }
}
template <class Key>
void register_places(const std::string& of, std::size_t most) {
  register_steps(of, most, {{"rank/tact", &rank<Key>}, {"nth/tact", &nth<Key>}});
}
template <template <class> class Ours, template <class> class Theirs, class Key>
void register_all(const std::string& of, std::size_t most) {
  const named_steps steps{
      {"find/std", &find<Theirs, Key>},           {"find/tact", &find<Ours, Key>},
      {"warm/std", &find_warm<Theirs, Key>},      {"warm/tact", &find_warm<Ours, Key>},
      {"cold/std", &find_cold<Theirs, Key>},      {"cold/tact", &find_cold<Ours, Key>},
      {"walk/std", &walk<Theirs, Key>},           {"walk/tact", &walk<Ours, Key>},
      {"build/std", &build<Theirs, Key>},         {"build/tact", &build<Ours, Key>},
      {"one/std", &change_sole<Theirs, Key>},     {"one/tact/sole", &change_sole<Ours, Key>},
      {"one/tact/kept", &change_kept<Ours, Key>}, {"one/tact/becomes", &become<Ours, Key>},
  };
  register_steps(of, most, steps);
}

}  // namespace
}  // namespace tact::bench

int main(int argc, char** argv) {
  const bool is_long = argc > 1 && std::string_view(argv[1]) == "--most";
  const std::size_t most = is_long ? 1'000'000 : 10'000;
  using namespace tact::bench;
  register_all<sorted, sorted_std, std::int64_t>("numbers", most);
  register_all<sorted, sorted_std, std::string>("texts", most);
  register_places<std::int64_t>("numbers", most);
  register_places<std::string>("texts", most);
  register_all<hashed, hashed_std, std::int64_t>("hashed/numbers", most);
  register_all<hashed, hashed_std, std::string>("hashed/texts", most);
  if (is_long) std::swap(argv[0], argv[1]);
  int left = is_long ? argc - 1 : argc;
  benchmark::Initialize(&left, is_long ? argv + 1 : argv);
  benchmark::RunSpecifiedBenchmarks();
}
