// What tables take: bytes an entry, beside those of the standard library; and a copy of a root and its end, by two
// threads at once. The floor of the latter is the pair of atomic operations on one word.
#include <malloc.h>

#include <atomic>
#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <tact/data/hash_map.hpp>
#include <tact/data/map.hpp>
#include <unordered_map>
#include <utility>

#include "micro/engine_run.hpp"
#include "micro/two_threads.hpp"

namespace tact::bench {
namespace {

// Of malloc, with its own word before each block.
std::size_t bytes_of_malloc = 0;
template <class T>
struct counting {
  using value_type = T;
  counting() = default;
  template <class U>
  counting(const counting<U>&) noexcept {}
  T* allocate(std::size_t n) {
    T* const block = std::allocator<T>().allocate(n);
    bytes_of_malloc += malloc_usable_size(block) + sizeof(std::size_t);
    return block;
  }
  void deallocate(T* block, std::size_t n) noexcept {
    bytes_of_malloc -= malloc_usable_size(block) + sizeof(std::size_t);
    std::allocator<T>().deallocate(block, n);
  }
  friend bool operator==(const counting&, const counting&) noexcept { return true; }
};
template <class K>
using entry_of = std::pair<const K, std::int64_t>;
template <class K>
using std_map = std::map<K, std::int64_t, std::less<K>, counting<entry_of<K>>>;
template <class K>
using std_hash_map = std::unordered_map<K, std::int64_t, std::hash<K>, std::equal_to<K>, counting<entry_of<K>>>;

std::size_t block_of(std::size_t bytes) { return detail::bytes_of_block(detail::class_of_block(bytes)); }

// An entry that does not lie in a node has a block of its own, with a count.
template <class K>
constexpr std::size_t own_bytes() {
  return detail::lies_in_node<entry_of<K>> ? 0 : 8 + sizeof(entry_of<K>);
}

// The blocks of the nodes. A class that derives from a table may name its tree.
template <class Rules>
std::size_t bytes_below(const typename detail::tree_nodes<Rules>::node* n) {
  using nodes = detail::tree_nodes<Rules>;
  if (n->height == 0) return block_of(nodes::leaf_bytes(n->room));
  std::size_t all = block_of(nodes::inner_bytes(n->room));
  for (unsigned i = 0; i != n->count; ++i) all += bytes_below<Rules>(nodes::inner(n)->children()[i]);
  return all;
}
template <class Rules>
std::size_t bytes_below(detail::trie_link n) {
  using nodes = detail::hash_nodes<Rules>;
  if (n.is_leaf()) return block_of(nodes::leaf_bytes(nodes::leaf(n)->room));
  std::size_t all = block_of(nodes::inner_bytes(n.fan()));
  nodes::for_each_child(n, [&](detail::trie_link c) { all += bytes_below<Rules>(c); });
  return all;
}
template <class Rules>
std::size_t bytes_of(const detail::ordered_tree<Rules>& t) {
  return bytes_below<Rules>(t.root());
}
template <class Rules>
std::size_t bytes_of(const detail::hash_trie<Rules>& t) {
  return bytes_below<Rules>(t.root());
}
template <class Table>
struct opened : Table {
  static std::size_t bytes(const Table& t) {
    if constexpr (requires { typename Table::hasher; }) {
      return bytes_of(t.*(&opened::trie_));
    } else {
      return bytes_of(t.*(&opened::tree_));
    }
  }
};

template <class Key>
Key made_key(std::uint64_t number) {
  if constexpr (std::is_same_v<Key, std::string>) {
    return "the key number " + std::to_string(number);
  } else {
    return static_cast<Key>(number);
  }
}

// Once: the figure does not depend on the time. What a text keeps outside of its object is not counted.
template <class Table, bool Ours>
void bytes_an_entry(benchmark::State& state) {
  using key = typename Table::key_type;
  for (auto _ : state) {
    Table all;
    std::mt19937_64 random(1);
    for (std::int64_t i = 0; i < state.range(0); ++i) {
      if constexpr (Ours) {
        all.insert(made_key<key>(random()), 1);
      } else {
        all.emplace(made_key<key>(random()), 1);
      }
    }
    std::size_t bytes = bytes_of_malloc;
    if constexpr (Ours)
      bytes = opened<Table>::bytes(all) + (own_bytes<key>() == 0 ? 0 : block_of(own_bytes<key>()) * all.size());
    state.counters["bytes_an_entry"] = static_cast<double>(bytes) / static_cast<double>(all.size());
  }
}

constexpr std::uint64_t copies = 200'000;

template <class Copy>
void two_copy(benchmark::State& state, Copy copy) {
  report_trials(state, copies, [&] {
    return two_threads::run([&](unsigned) {
      for (std::uint64_t i = 0; i < copies; ++i) copy();
    });
  });
}
template <class Table>
void copy_root(benchmark::State& state) {
  const Table one = Table().insert(1, 1);
  two_copy(state, [&] {
    Table copy = one;
    benchmark::DoNotOptimize(copy);
  });
}
void add_and_subtract(benchmark::State& state) {
  std::atomic<std::uint32_t> word{1};
  two_copy(state, [&] {
    benchmark::DoNotOptimize(word.fetch_add(1));
    benchmark::DoNotOptimize(word.fetch_sub(1));
  });
}
template <class Table>
void copy_alone(benchmark::State& state) {
  const Table one = Table().insert(1, 1);
  for (auto _ : state) {
    Table copy = one;
    benchmark::DoNotOptimize(copy);
  }
}

template <class Table, bool Ours>
void register_bytes(const char* name) {
  benchmark::RegisterBenchmark(name, &bytes_an_entry<Table, Ours>)
      ->Arg(10)
      ->Arg(1000)
      ->Arg(100'000)
      ->Arg(1'000'000)
      ->Iterations(1);
}
template <class Key>
void register_all_bytes(const std::string& of) {
  register_bytes<std_map<Key>, false>((of + "/std_map").c_str());
  register_bytes<transient_map<Key, std::int64_t>, true>((of + "/map").c_str());
  register_bytes<std_hash_map<Key>, false>((of + "/std_unordered_map").c_str());
  register_bytes<transient_hash_map<Key, std::int64_t>, true>((of + "/hash_map").c_str());
}
void register_copies() {
  using of_numbers = map<std::int64_t, std::int64_t>;
  using hash_of_numbers = hash_map<std::int64_t, std::int64_t>;
  benchmark::RegisterBenchmark("copy_alone/map", &copy_alone<of_numbers>);
  benchmark::RegisterBenchmark("copy_alone/hash_map", &copy_alone<hash_of_numbers>);
  const std::pair<const char*, void (*)(benchmark::State&)> by_two[] = {
      {"copy_by_two/floor", &add_and_subtract},
      {"copy_by_two/map", &copy_root<of_numbers>},
      {"copy_by_two/hash_map", &copy_root<hash_of_numbers>},
  };
  for (const auto& [name, run] : by_two) benchmark::RegisterBenchmark(name, run)->UseManualTime()->Iterations(1);
}

}  // namespace
}  // namespace tact::bench

int main(int argc, char** argv) {
  using namespace tact::bench;
  register_all_bytes<std::int64_t>("bytes/numbers");
  register_all_bytes<std::string>("bytes/texts");
  register_copies();
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
