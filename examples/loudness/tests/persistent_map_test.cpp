// The map against std::map, and that old maps stay what they were.
#include "persistent_map.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "support/catch.hpp"
#include "support/seed.hpp"

namespace persistent_map_test {

namespace {

using numbers = loudness::persistent_map<int, int>;
using pairs = std::vector<std::pair<int, int>>;

pairs content(const numbers& map) {
  pairs all;
  map.for_each([&](int key, int value) { all.emplace_back(key, value); });
  return all;
}

}  // namespace

TEST_CASE("persistent map: holds what std::map holds, in the same order", "[loudness]") {
  TACT_SEEDED(seed);
  std::mt19937_64 random(seed);
  numbers map;
  std::map<int, int> model;
  for (int i = 0; i < 2000; ++i) {
    if (random() % 4 == 0) {
      const int key = static_cast<int>(random() % 500);
      map = map.without(key);
      model.erase(key);
    } else if (random() % 4 != 0 || model.empty()) {
      const int key = static_cast<int>(random() % 500);
      map = map.with(key, i);
      model[key] = i;
    } else {
      REQUIRE(map.first() == model.begin()->first);
      map = map.without_first();
      model.erase(model.begin());
    }
    REQUIRE(map.size() == model.size());
  }
  REQUIRE(content(map) == pairs(model.begin(), model.end()));
}

TEST_CASE("persistent map: a change leaves the old map as it was", "[loudness]") {
  const numbers old = numbers().with(2, 20).with(1, 10);
  const numbers changed = old.with(1, 11).with(3, 30).without_first();
  REQUIRE(content(old) == pairs{{1, 10}, {2, 20}});
  REQUIRE(content(changed) == pairs{{2, 20}, {3, 30}});
}

TEST_CASE("persistent map: finds a key and its place, and the key of a place", "[loudness]") {
  TACT_SEEDED(seed);
  std::mt19937_64 random(seed);
  std::map<int, int> model;
  numbers map;
  for (int i = 0; i < 300; ++i) {
    const int key = static_cast<int>(random() % 1000);
    map = map.with(key, i);
    model[key] = i;
  }
  std::size_t place = 0;
  for (int key = 0; key < 1000; ++key) {
    CAPTURE(key);
    const auto known = model.find(key);
    REQUIRE((map.find(key) != nullptr) == (known != model.end()));
    REQUIRE(map.rank(key) == place);
    if (known == model.end()) continue;
    REQUIRE(*map.find(key) == known->second);
    REQUIRE(map.at(place++) == key);
  }
}

TEST_CASE("persistent map: keys in order do not make a list of it", "[loudness]") {
  numbers map;
  for (int i = 0; i < 100'000; ++i) map = map.with(i, i);
  REQUIRE(map.size() == 100'000);
  REQUIRE(map.depth() < 80);  // a random treap of that size is some 40 deep
}

}  // namespace persistent_map_test
