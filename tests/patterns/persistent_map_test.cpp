// persistent_map: it finds what a std::map finds, and what it was before stays as it was.
#include "tact/detail/persistent_map.hpp"

#include <map>

#include "patterns/trouble.hpp"

namespace persistent_map_test {

namespace {

using namespace tact::patterns_tests;
using numbers = tact::detail::persistent_map<int>;

std::map<std::uint64_t, int> all_of(const numbers& m) {
  std::map<std::uint64_t, int> all;
  std::uint64_t last = 0;
  m.for_each([&](std::uint64_t key, int item) {
    CHECK((all.empty() || last < key));
    last = key;
    all[key] = item;
  });
  return all;
}

}  // namespace

TEST_CASE("persistent map: with and without do what a map does, and leave the one before as it was", "[law2]") {
  TACT_SEEDED(seed);
  std::map<std::uint64_t, int> expected;
  std::map<std::uint64_t, int> kept_expected;
  numbers m;
  numbers kept;
  for (std::uint64_t i = 0; i < 3'000; ++i) {
    const std::uint64_t dice = tact::detail::mix(seed + i);
    const std::uint64_t key = dice % 97;
    if (i % 500 == 0) {
      kept = m;
      kept_expected = expected;
    }
    if (dice % 5 < 3) {
      m = m.with(key, static_cast<int>(i));
      expected[key] = static_cast<int>(i);
    } else {
      m = m.without(key);
      expected.erase(key);
    }
    REQUIRE(m.empty() == expected.empty());
    if (!m.empty()) REQUIRE(m.first().key == expected.begin()->first);
    const int* const found = m.find(key);
    REQUIRE((found != nullptr) == (expected.count(key) != 0));
    if (i % 250 == 0) {
      REQUIRE(all_of(m) == expected);
      REQUIRE(all_of(kept) == kept_expected);
    }
  }
}

}  // namespace persistent_map_test
