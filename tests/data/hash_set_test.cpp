// tact::hash_set does what std::set does but for the order, and each older version stays as it was.
#include "tact/data/hash_set.hpp"

#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "data/hash_checks.hpp"
#include "support/catch.hpp"
#include "support/dice.hpp"
#include "support/engine_fixture.hpp"
#include "support/seed.hpp"

namespace hash_set_test {

namespace {

using keys = std::set<std::string>;

keys sorted(const tact::hash_set<std::string>& s) {
  keys all(s.begin(), s.end());
  REQUIRE(all.size() == s.size());
  return all;
}

}  // namespace

TEST_CASE("hash_set: does in random programs what std::set does, and each older version stays as it was", "[data]") {
  TACT_SEEDED(seed);
  tact::support::dice random(seed);
  struct version {
    tact::hash_set<std::string> set;
    keys model;
  };
  std::vector<version> versions(4);
  for (int step = 0; step < tact::support::scaled(1000); ++step) {
    version v = versions[random.below(4)];
    const version& w = versions[random.below(4)];
    const std::string k = std::to_string(random.below(300)) + " and more than a short string has room for";
    switch (random.below(6)) {
      case 0:
        v.set = v.set.erase(k);
        v.model.erase(k);
        break;
      case 1: {
        v.set = union_of(v.set, w.set);
        v.model.insert(w.model.begin(), w.model.end());
        break;
      }
      case 2: {
        const auto both = intersection_of(v.set, w.set);
        v.set = difference_of(v.set, w.set);
        REQUIRE(both.size() + v.set.size() == v.model.size());
        for (const std::string& each : w.model) REQUIRE(both.contains(each) == (v.model.erase(each) == 1));
        break;
      }
      default: {
        auto t = std::move(v.set).transient();
        REQUIRE(t.insert(k) == v.model.insert(k).second);
        v.set = std::move(t).persistent();
      }
    }
    REQUIRE(sorted(v.set) == v.model);
    REQUIRE((v.set == w.set) == (v.model == w.model));
    versions[random.below(4)] = std::move(v);
  }
  for (const version& v : versions) REQUIRE(sorted(v.set) == v.model);
}

TEST_CASE("hash_set: has keys that only move, tells what differs, and says when nothing has changed", "[data]") {
  tact::transient_hash_set<std::unique_ptr<int>> pointers;
  REQUIRE(pointers.insert(std::make_unique<int>(1)));
  REQUIRE(pointers.size() == 1);
  const tact::hash_set<std::string> names{"Ada", "Alan", "Ada"};
  REQUIRE(names.size() == 2);
  REQUIRE(names.insert("Ada").is_same_as(names));
  REQUIRE(names.erase("Grace").is_same_as(names));
  REQUIRE(names.erase("Ada").erase("Alan").empty());
  keys told;
  diff(names, names.erase("Ada").insert("Grace"),
       [&](const auto& d) { told.insert(d.before != nullptr ? "-" + *d.before : "+" + *d.after); });
  REQUIRE(told == keys{"-Ada", "+Grace"});
}

}  // namespace hash_set_test
