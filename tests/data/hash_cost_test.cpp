// What calls of a tact::hash_map cost, counted by hashes and comparisons: what two tables share costs nothing.
#include <cstdint>

#include "support/catch.hpp"
#include "support/dice.hpp"
#include "support/engine_fixture.hpp"
#include "support/seed.hpp"
#include "tact/data/hash_map.hpp"

namespace hash_cost_test {

namespace {

using tact::support::dice;

struct counting_hash {
  static inline std::uint64_t calls = 0;
  std::size_t operator()(int n) const {
    ++calls;
    return static_cast<std::size_t>(n);
  }
};
struct counting_equality {
  static inline std::uint64_t calls = 0;
  bool operator()(int a, int b) const {
    ++calls;
    return a == b;
  }
};
using table = tact::hash_map<int, int, counting_hash, counting_equality>;
// The entries of the leaves on one way, and of those beside them.
constexpr std::uint64_t each_key = 300;

template <class F>
std::uint64_t calls(F f) {
  const std::uint64_t before = counting_hash::calls + counting_equality::calls;
  f();
  return counting_hash::calls + counting_equality::calls - before;
}
table with_keys(int count, int step = 1, int first = 0) {
  table::transient_type t;
  for (int i = 0; i < count; ++i) t.insert(first + i * step, i);
  return std::move(t).persistent();
}
int size_of_difference(const table& a, const table& b) {
  int told = 0;
  diff(a, b, [&](const auto&) { ++told; });
  return told;
}

}  // namespace

TEST_CASE("hash_map: what two versions share costs nothing when they are compared or put together", "[data]") {
  TACT_SEEDED(seed);
  dice random(seed);
  constexpr int changes = 10;
  const table large = with_keys(200'000, 2);
  table changed = large;
  for (int i = 0; i < changes; ++i) changed = changed.insert_or_assign(static_cast<int>(random.below(400'000)), -1);
  const table shorter = changed.erase(0).erase(200'000).erase(399'998);
  constexpr std::uint64_t few = changes * each_key;
  CHECK(calls([&] { CHECK(size_of_difference(large, changed) <= changes); }) <= few);
  CHECK(calls([&] { CHECK(size_of_difference(shorter, large) <= changes + 3); }) <= few * 2);
  CHECK(calls([&] { CHECK(!(large == changed)); }) <= few);
  CHECK(calls([&] { CHECK(union_of(large, changed).size() == changed.size()); }) <= few * 2);
  CHECK(calls([&] { CHECK(intersection_of(large, shorter).size() == 200'000 - 3); }) <= few * 2);
  CHECK(calls([&] { CHECK(difference_of(changed, large).size() <= changes); }) <= few * 2);
  CHECK(calls([&] { CHECK(difference_of(large, shorter).size() == 3); }) <= few * 2);
}

TEST_CASE("hash_map: a small table is looked up in a large one, which is not walked through", "[data]") {
  const table large = with_keys(200'000, 2);
  const table small = with_keys(50, 5, 100'000);
  constexpr std::uint64_t few = 50 * each_key;
  CHECK(calls([&] { CHECK(difference_of(large, small).size() == 200'000 - 25); }) <= few);
  CHECK(calls([&] { CHECK(difference_of(small, large).size() == 25); }) <= few);
  CHECK(calls([&] { CHECK(intersection_of(large, small).at(100'010) == 50'005); }) <= few);
  CHECK(calls([&] { CHECK(intersection_of(small, large).at(100'010) == 2); }) <= few);
  CHECK(calls([&] { CHECK(union_of(large, small).at(100'010) == 50'005); }) <= few);
  CHECK(calls([&] { CHECK(union_of(small, large).at(100'010) == 2); }) <= few);
  CHECK(intersection_of(large, small).size() == 25);
  CHECK(intersection_of(small, large).size() == 25);
  CHECK(union_of(large, small).size() == 200'025);
  CHECK(union_of(small, large).size() == 200'025);
}

TEST_CASE("hash_map: a look takes one hash and hardly more than one comparison, a walk takes none", "[data]") {
  constexpr int count = 200'000;
  table large;
  // Each leaf that is split has its hashes taken once more.
  CHECK(calls([&] { large = with_keys(count); }) <= count * 4);
  int found = 0;
  CHECK(calls([&] {
          for (int i = -count; i < count; ++i) found += large.contains(i) ? 1 : 0;
        }) <= count * 35 / 10);
  CHECK(found == count);
  CHECK(calls([&] { CHECK(std::distance(large.begin(), large.end()) == count); }) == 0);
  CHECK(calls([&] { CHECK(large.insert(-1, 0).size() == count + 1); }) <= 3 * each_key / 10);
  CHECK(calls([&] { CHECK(large.erase(count / 2).size() == count - 1); }) <= 10);
}

}  // namespace hash_cost_test
