// Memory that is refused, and functions of the user that throw: each table has its entries as before, and none is left.
#include <map>
#include <string>
#include <vector>

#include "data/failures.hpp"
#include "data/tree_checks.hpp"
#include "support/catch.hpp"
#include "support/dice.hpp"
#include "support/engine_fixture.hpp"
#include "support/seed.hpp"

namespace trouble_test {

namespace {

using namespace tact::data_tests;
using tact::support::dice;

struct touchy_order {
  using is_transparent = void;
  bool operator()(int a, int b) const {
    if (failing::is_due()) throw thrown();
    return a < b;
  }
  template <class A, class B>
  bool operator()(const A& a, const B& b) const {
    return a < b;
  }
};

struct shared_entries {
  using table = tact::map<touchy, touchy>;
  static touchy make(int n) { return touchy(n); }
  static int number_of(const touchy& t) { return t.number; }
};
struct entries_in_nodes {
  using table = tact::map<int, int, touchy_order>;
  static int make(int n) { return n; }
  static int number_of(int n) { return n; }
};
using numbers = std::map<int, int>;

template <class Kind>
numbers all_of(const typename Kind::table& t) {
  numbers all;
  for (const auto& [k, v] : t) all.emplace(Kind::number_of(k), Kind::number_of(v));
  return all;
}

// What was done with a table, and the same with its numbers. Both changes in place and changes that share.
template <class Kind>
struct change {
  std::uint32_t what;
  int k;
  void on(typename Kind::table& t, const typename Kind::table& other) const {
    switch (what) {
      case 0:
        t = std::move(t).insert(Kind::make(k), Kind::make(1));
        break;
      case 1:
        t = std::move(t).insert_or_assign(Kind::make(k), Kind::make(2));
        break;
      case 2:
        t = std::move(t).erase(Kind::make(k));
        break;
      case 3:
        t = t.insert_or_assign(Kind::make(k), Kind::make(3));
        break;
      case 4:
        t = t.erase(Kind::make(k));
        break;
      case 5:
        t = union_of(t, other);
        break;
      case 6:
        t = difference_of(t, other);
        break;
      default:
        t = intersection_of(t, other);
        break;
    }
  }
};

template <class Kind, class Fails>
void require_whole_after(std::uint64_t seed, Fails fails) {
  long failures = 0;
  dice random(seed);
  const int size = static_cast<int>(1 + random.below(4)) * 150;
  typename Kind::table t;
  typename Kind::table other;
  for (int i = 0; i < size; ++i)
    t = std::move(t).insert(Kind::make(static_cast<int>(random.below(2000))), Kind::make(0));
  other = t;
  for (int i = 0; i < 20; ++i) other = std::move(other).insert_or_assign(Kind::make(i * 90), Kind::make(7));
  for (int round = 0; round < 25; ++round) {
    const auto some = t.lower_bound(Kind::make(static_cast<int>(random.below(2000))));
    const bool is_there = some != t.end() && random.below(2) == 0;
    const int k = is_there ? Kind::number_of(some->first) : static_cast<int>(random.below(2000));
    const change<Kind> c{random.below(8), k};
    typename Kind::table done = t;
    c.on(done, other);
    const numbers after = all_of<Kind>(done);
    const numbers before = all_of<Kind>(t);
    const numbers of_other = all_of<Kind>(other);
    for (long n = 0;; ++n) {
      // The old version lives on, or the change has the nodes for itself.
      typename Kind::table changed;
      const bool is_shared = random.below(4) != 0;
      if (is_shared) changed = t;
      if (!is_shared)
        for (const auto& [number, v] : before) changed = std::move(changed).insert(Kind::make(number), Kind::make(v));
      const bool failed = fails(n, [&] { c.on(changed, other); });
      const numbers now = all_of<Kind>(changed);
      INFO("change " << c.what << " of " << c.k << ", failure " << n);
      // A table that was moved from before the call, when the key was made, is whole, too.
      REQUIRE(now == (failed ? before : after));
      REQUIRE(fault_of(changed) == "");
      REQUIRE(all_of<Kind>(t) == before);
      REQUIRE(all_of<Kind>(other) == of_other);
      if (!failed) break;
      ++failures;
      c.on(changed, other);
      REQUIRE(all_of<Kind>(changed) == after);
      REQUIRE(fault_of(changed) == "");
      if (n > 40) n += n / 4;
    }
    t = done;
  }
  REQUIRE(failures > 0);
}

}  // namespace

TEMPLATE_TEST_CASE(
    "map: when memory is refused, at any allocation, all tables have their entries, and none is left over", "[data]",
    shared_entries, entries_in_nodes) {
  TACT_SEEDED(seed);
  for (int i = 0; i < tact::support::scaled(60); ++i) {
    require_whole_after<TestType>(seed + static_cast<std::uint64_t>(i),
                                  [](long n, auto f) { return fails_without_memory(n, f); });
  }
  REQUIRE(touchy::alive == 0);
}

TEMPLATE_TEST_CASE(
    "map: when a copy or a comparison throws, at any call, all tables have their entries, and none is left over",
    "[data]", shared_entries, entries_in_nodes) {
  TACT_SEEDED(seed);
  for (int i = 0; i < tact::support::scaled(60); ++i) {
    require_whole_after<TestType>(seed + static_cast<std::uint64_t>(i),
                                  [](long n, auto f) { return fails_by_throwing(n, f); });
  }
  REQUIRE(touchy::alive == 0);
}

TEST_CASE("map: a table that cannot be made of a range leaves nothing behind", "[data]") {
  std::vector<std::pair<touchy, touchy>> source;
  for (int i = 0; i < 200; ++i) source.emplace_back(touchy(i), touchy(i));
  const long before = touchy::alive;
  for (long n = 0; n < 1500; n += 37) {
    failing::calls_left = n;
    REQUIRE_THROWS_AS((shared_entries::table(source.begin(), source.end())), thrown);
    failing::calls_left = -1;
    REQUIRE(touchy::alive == before);
  }
}

}  // namespace trouble_test
