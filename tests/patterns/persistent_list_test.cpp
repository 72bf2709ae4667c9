// persistent_list: as a std::map, and older versions stay as they were.
#include "tact/detail/persistent_list.hpp"

#include <map>

#include "patterns/trouble.hpp"

namespace persistent_list_test {

namespace {

using namespace tact::patterns_tests;
using list = tact::detail::persistent_list<int>;
using model = std::map<std::uint64_t, int>;

model all_of(const list& l) {
  model all;
  std::uint64_t last = 0;
  l.for_each([&](std::uint64_t number, int item) {
    CHECK((all.empty() || number > last));
    last = number;
    all.emplace(number, item);
  });
  return all;
}

}  // namespace

TEST_CASE("persistent_list: it has what was put into it and not taken out, in order, and so has each older version") {
  TACT_SEEDED(seed);
  dice random(seed);
  std::vector<std::pair<list, model>> versions(1);
  std::uint64_t next = 1;
  for (int i = 0; i < 400; ++i) {
    auto [l, m] = versions[random.below(static_cast<std::uint32_t>(versions.size()))];
    if (random.below(3) != 0) {
      l = l.with(next, i);
      m.emplace(next++, i);
    } else {
      const std::uint64_t number = 1 + random.below(static_cast<std::uint32_t>(next));
      CHECK((l.find(number) != nullptr) == m.contains(number));
      l = l.without(number);
      m.erase(number);
    }
    if (!m.empty()) {
      const std::uint64_t number = std::next(m.begin(), random.below(static_cast<std::uint32_t>(m.size())))->first;
      l = l.with(number, -i);
      m[number] = -i;
    }
    versions.emplace_back(l, m);
  }
  for (const auto& [l, m] : versions) {
    CHECK(all_of(l) == m);
    CHECK(l.empty() == m.empty());
  }
}

TEST_CASE("persistent_list: a hundred thousand items take a short path each") {
  list l;
  for (std::uint64_t i = 1; i <= 100'000; ++i) l = l.with(i, static_cast<int>(i));
  for (std::uint64_t i = 1; i <= 100'000; i += 2) l = l.without(i);
  int count = 0;
  l.for_each([&](std::uint64_t, int) { ++count; });
  CHECK(count == 50'000);
  CHECK(*l.find(50'000) == 50'000);
}

TEST_CASE("persistent_list: in whatever order items come and go, it finds what a map finds", "[law2]") {
  TACT_SEEDED(seed);
  std::map<std::uint64_t, int> expected;
  std::map<std::uint64_t, int> kept_expected;
  list m;
  list kept;
  for (std::uint64_t i = 0; i < 3'000; ++i) {
    const std::uint64_t any = tact::detail::mix(seed + i);
    const std::uint64_t key = any % 97;
    if (i % 500 == 0) {
      kept = m;
      kept_expected = expected;
    }
    if (any % 5 < 3) {
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

}  // namespace persistent_list_test
