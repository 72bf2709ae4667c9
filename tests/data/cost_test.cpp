// What calls cost, counted by comparisons: what two tables share costs nothing. And the stack of an end is small.
#include <pthread.h>

#include <cstdint>
#include <string>

#include "data/tree_checks.hpp"
#include "support/catch.hpp"
#include "support/dice.hpp"
#include "support/engine_fixture.hpp"
#include "support/seed.hpp"

namespace cost_test {

namespace {

using tact::support::dice;

struct counting {
  static inline std::uint64_t calls = 0;
  bool operator()(int a, int b) const {
    ++calls;
    return a < b;
  }
};
using table = tact::map<int, int, counting>;
// The comparisons of one way through the tree, and of the keys of the leaves beside it.
constexpr std::uint64_t each_key = 300;

template <class F>
std::uint64_t comparisons(F f) {
  const std::uint64_t before = counting::calls;
  f();
  return counting::calls - before;
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

TEST_CASE("map: what two versions share costs nothing when they are compared or put together", "[data]") {
  TACT_SEEDED(seed);
  dice random(seed);
  constexpr int changes = 10;
  const table large = with_keys(200'000, 2);
  table changed = large;
  for (int i = 0; i < changes; ++i) changed = changed.insert_or_assign(static_cast<int>(random.below(400'000)), -1);
  const table shorter = changed.erase(0).erase(200'000).erase(399'998);
  constexpr std::uint64_t few = changes * each_key;
  CHECK(comparisons([&] { CHECK(size_of_difference(large, changed) <= changes); }) <= few);
  CHECK(comparisons([&] { CHECK(size_of_difference(shorter, large) <= changes + 3); }) <= few * 2);
  CHECK(comparisons([&] { CHECK(!(large == changed)); }) <= few);
  CHECK(comparisons([&] { CHECK(union_of(large, changed).size() == changed.size()); }) <= few * 2);
  CHECK(comparisons([&] { CHECK(intersection_of(large, shorter).size() == 200'000 - 3); }) <= few * 2);
  CHECK(comparisons([&] { CHECK(difference_of(changed, large).size() <= changes); }) <= few * 2);
  CHECK(comparisons([&] { CHECK(difference_of(large, shorter).size() == 3); }) <= few * 2);
}

TEST_CASE("map: a small table is looked up in a large one, which is not walked through", "[data]") {
  const table large = with_keys(200'000, 2);
  const table small = with_keys(50, 5, 100'000);
  constexpr std::uint64_t few = 50 * each_key;
  CHECK(comparisons([&] { CHECK(difference_of(large, small).size() == 200'000 - 25); }) <= few);
  CHECK(comparisons([&] { CHECK(difference_of(small, large).size() == 25); }) <= few);
  CHECK(comparisons([&] { CHECK(intersection_of(large, small).size() == 25); }) <= few);
  CHECK(comparisons([&] { CHECK(intersection_of(small, large).size() == 25); }) <= few);
  CHECK(comparisons([&] { CHECK(union_of(large, small).size() == 200'025); }) <= few);
  CHECK(comparisons([&] { CHECK(union_of(small, large).size() == 200'025); }) <= few);
  CHECK(union_of(small, large).at(100'010) == 2);
  CHECK(union_of(large, small).at(100'010) == 50'005);
  CHECK(intersection_of(small, large).at(100'010) == 2);
  CHECK(intersection_of(large, small).at(100'010) == 50'005);
}

TEST_CASE("map: a way through a million entries takes the comparisons of a binary search, or little more", "[data]") {
  const table large = with_keys(1'000'000);
  CHECK(comparisons([&] { CHECK(large.contains(777'777)); }) <= 30);
  CHECK(comparisons([&] { CHECK(large.insert(-1, 0).size() == 1'000'001); }) <= 90);
  CHECK(comparisons([&] { CHECK(large.erase(500'000).size() == 999'999); }) <= 120);
  CHECK(comparisons([&] { CHECK(large.rank(777'777) == 777'777); }) <= 30);
  CHECK(comparisons([&] { CHECK(large.index_of(large.nth(999'998)) == 999'998); }) <= 30);
  CHECK(comparisons([&] { CHECK(large.nth(123'456)->first == 123'456); }) == 0);
}

// The depth is that of the tree, which ten million entries do not make a level higher than a million: a list of a
// thousand would not fit. What a stack has to hold does not depend on how many there are.
TEST_CASE("map: the end of a million entries needs a stack of a few kilobytes", "[data]") {
  constexpr std::size_t stack_bytes = tact::support::sanitized ? 256 * 1024 : 32 * 1024;
  auto t = new tact::transient_map<int, std::string>;
  for (int i = 0; i < 1'000'000; ++i) t->insert(i, "");
  pthread_attr_t attributes;
  REQUIRE(pthread_attr_init(&attributes) == 0);
  REQUIRE(pthread_attr_setstacksize(&attributes, stack_bytes) == 0);
  pthread_t thread;
  const auto end = [](void* what) -> void* {
    delete static_cast<tact::transient_map<int, std::string>*>(what);
    return nullptr;
  };
  REQUIRE(pthread_create(&thread, &attributes, end, t) == 0);
  REQUIRE(pthread_join(thread, nullptr) == 0);
  pthread_attr_destroy(&attributes);
}

}  // namespace cost_test
