// tact::set does what std::set does, and each older version stays as it was.
#include "tact/data/set.hpp"

#include <algorithm>
#include <iterator>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "data/tree_checks.hpp"
#include "support/catch.hpp"
#include "support/dice.hpp"
#include "support/engine_fixture.hpp"
#include "support/seed.hpp"

namespace set_test {

namespace {

using namespace tact::data_tests;
using tact::support::dice;

template <class K>
K made_of(std::uint32_t n) {
  if constexpr (std::is_same_v<K, std::string>) {
    return "a key that takes more than a short string has: " + std::to_string(n);
  } else {
    return static_cast<K>(n);
  }
}
template <class K>
std::string fault_beside(const tact::set<K>& s, const std::set<K>& m) {
  if (!std::ranges::equal(s, m)) return "the keys";
  if (!std::equal(s.rbegin(), s.rend(), m.rbegin(), m.rend())) return "the keys backwards";
  return fault_of(s);
}

}  // namespace

TEMPLATE_TEST_CASE("set: does in random programs what std::set does, and each older version stays as it was", "[data]",
                   unsigned char, int, std::string) {
  TACT_SEEDED(seed);
  dice random(seed);
  struct version {
    tact::set<TestType> set;
    std::set<TestType> model;
  };
  std::vector<version> versions(6);
  const auto any = [&]() -> version& { return versions[random.below(6)]; };
  for (int step = 0; step < tact::support::scaled(6000); ++step) {
    version v = any();
    const TestType k = made_of<TestType>(random.below(3000));
    switch (random.below(7)) {
      case 0:
        v = {v.set.insert(k), v.model}, v.model.insert(k);
        break;
      case 1:
        v.set = v.set.erase(k), v.model.erase(k);
        break;
      case 2: {
        auto t = std::move(v.set).transient();
        for (int i = 0; i < 60; ++i) {
          const TestType one = made_of<TestType>(random.below(3000));
          REQUIRE(t.insert(one) == v.model.insert(one).second);
        }
        v.set = std::move(t).persistent();
        break;
      }
      case 3:
        for (int i = 0; i < 40 && !v.set.empty(); ++i) {
          v.model.erase(v.model.begin());
          v.set = std::move(v.set).erase(*v.set.begin());
        }
        break;
      default: {
        const version& w = any();
        std::set<TestType> all, both, left, changed, told;
        std::ranges::set_union(v.model, w.model, std::inserter(all, all.end()));
        std::ranges::set_intersection(v.model, w.model, std::inserter(both, both.end()));
        std::ranges::set_difference(v.model, w.model, std::inserter(left, left.end()));
        std::ranges::set_symmetric_difference(v.model, w.model, std::inserter(changed, changed.end()));
        diff(v.set, w.set, [&](const auto& d) { told.insert(d.before != nullptr ? *d.before : *d.after); });
        REQUIRE(told == changed);
        REQUIRE((v.set == w.set) == (v.model == w.model));
        REQUIRE(fault_beside(union_of(v.set, w.set), all) == "");
        REQUIRE(fault_beside(intersection_of(v.set, w.set), both) == "");
        REQUIRE(fault_beside(difference_of(v.set, w.set), left) == "");
      }
    }
    REQUIRE(fault_beside(v.set, v.model) == "");
    REQUIRE(v.set.contains(k) == v.model.contains(k));
    any() = std::move(v);
  }
  for (const version& v : versions) REQUIRE(fault_beside(v.set, v.model) == "");
}

TEST_CASE("set: has keys that only move, keys found by another type, and says when nothing has changed", "[data]") {
  tact::transient_set<std::unique_ptr<int>> pointers;
  REQUIRE(pointers.insert(std::make_unique<int>(1)));
  REQUIRE(pointers.size() == 1);
  const tact::set<std::string> names{"Ada", "Alan", "Ada"};
  REQUIRE(names.size() == 2);
  REQUIRE(names.contains(std::string_view("Ada")));
  REQUIRE(names.insert("Ada").is_same_as(names));
  REQUIRE(names.erase("Grace").is_same_as(names));
  REQUIRE(names.erase(std::string_view("Ada")).erase("Alan").empty());
  REQUIRE(*names.nth(1) == "Alan");
  REQUIRE(names.rank(std::string_view("Alan")) == 1);
  REQUIRE(names.index_of(names.find("Grace")) == 2);
}

}  // namespace set_test
