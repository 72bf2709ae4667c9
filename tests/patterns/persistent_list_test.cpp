// persistent_list and persistent_vector: as a std::map and a std::vector, and older versions stay as they were.
#include "tact/patterns/detail/persistent_list.hpp"

#include <iterator>
#include <map>
#include <vector>

#include "patterns/trouble.hpp"
#include "tact/patterns/detail/persistent_vector.hpp"

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

TEST_CASE("persistent_list: in whatever order numbers come and go, it finds what a map finds", "[law2]") {
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

TEST_CASE("persistent_list: insert and erase change this one, and no copy of it", "[law2]") {
  TACT_SEEDED(seed);
  dice random(seed);
  std::vector<std::pair<list, model>> copies;
  list l;
  model m;
  for (int i = 0; i < 2'000; ++i) {
    const std::uint64_t key = random.below(300);
    if (random.below(3) != 0) {
      l.insert(key, i);
      m[key] = i;
    } else {
      l.erase(key);
      m.erase(key);
    }
    if (i % 97 == 0) copies.emplace_back(l, m);
    const std::uint64_t any = random.below(310);
    const auto after = m.lower_bound(any);
    const auto* const found = l.at_or_after(any);
    REQUIRE((found != nullptr) == (after != m.end()));
    if (found != nullptr) CHECK((found->key == after->first && found->item == after->second));
    const auto above = m.upper_bound(any);
    const auto* const before = l.at_or_before(any);
    REQUIRE((before != nullptr) == (above != m.begin()));
    if (before != nullptr) CHECK((before->key == std::prev(above)->first && before->item == std::prev(above)->second));
  }
  copies.emplace_back(l, m);
  for (const auto& [copy, expected] : copies) CHECK(all_of(copy) == expected);
}

namespace {

// Counts how often items are copied.
struct counting_item {
  counting_item() = default;
  counting_item(const counting_item&) noexcept { ++copies; }
  counting_item(counting_item&&) noexcept = default;
  counting_item& operator=(const counting_item&) noexcept {
    ++copies;
    return *this;
  }
  counting_item& operator=(counting_item&&) noexcept = default;
  static inline std::uint64_t copies = 0;
};

// How many items one of so many changes of `all`, which a copy shares, has copied.
template <class Items, class Change>
std::uint64_t copies_for_each(Items& all, Change change) {
  constexpr std::uint64_t changes = 200;
  counting_item::copies = 0;
  for (std::uint64_t i = 0; i < changes; ++i) {
    const Items before = all;
    change(i);
  }
  return counting_item::copies / changes;
}

}  // namespace

TEST_CASE("persistent_list: with ten times as many items a change copies some more, and not ten times as many",
          "[law10]") {
  std::uint64_t most = 40;  // of 1,000 items; a treap of random shape is 22 deep then, and 29 with 10,000
  for (const std::uint64_t size : {1'000U, 10'000U, 100'000U}) {
    tact::detail::persistent_list<counting_item> all;
    counting_item::copies = 0;
    for (std::uint64_t i = 0; i < size; ++i) all.insert(i * 2, {});
    CHECK(counting_item::copies < 10 * size);  // nobody shares them
    CHECK(copies_for_each(all, [&](std::uint64_t i) { all.insert(i * 5'003 % size * 2 + 1, {}); }) < most);
    CHECK(copies_for_each(all, [&](std::uint64_t i) { all.erase(i * 7'001 % size * 2); }) < most);
    most += 20;
  }
}

TEST_CASE("persistent_vector: as a std::vector, and copies stay as they were", "[law2]") {
  TACT_SEEDED(seed);
  dice random(seed);
  using vector = tact::detail::persistent_vector<int>;
  std::vector<std::pair<vector, std::vector<int>>> copies;
  vector v;
  std::vector<int> expected;
  const auto require_same = [](const vector& one, const std::vector<int>& other) {
    REQUIRE(one.size() == other.size());
    CHECK(one.empty() == other.empty());
    std::vector<int> all;
    one.for_each([&](int item) { all.push_back(item); });
    CHECK(all == other);
    for (std::size_t i = 0; i < other.size(); ++i) CHECK(one[i] == other[i]);
  };
  for (int round = 0; round < 12; ++round) {
    const std::uint32_t growth = random.below(10);  // of ten changes so many add one
    for (int i = 0; i < 400; ++i) {
      if (expected.empty() || random.below(10) < growth) {
        v.push_back(i);
        expected.push_back(i);
      } else if (random.below(2) == 0) {
        v.pop_back();
        expected.pop_back();
      } else {
        const std::size_t at = random.below(static_cast<std::uint32_t>(expected.size()));
        v.set(at, -i);
        expected[at] = -i;
      }
    }
    copies.emplace_back(v, expected);
  }
  for (const auto& [copy, then] : copies) require_same(copy, then);
}

TEST_CASE("persistent_vector: a change copies the sixteen items beside it, however many there are", "[law10]") {
  for (const std::size_t size : {1'000U, 10'000U, 100'000U}) {
    tact::detail::persistent_vector<counting_item> all;
    for (std::size_t i = 0; i < size; ++i) all.push_back({});
    CHECK(copies_for_each(all, [&](std::uint64_t i) { all.set(i * 7'001 % size, {}); }) <= 17);
    CHECK(copies_for_each(all, [&](std::uint64_t) { all.pop_back(); }) <= 17);
    CHECK(copies_for_each(all, [&](std::uint64_t) { all.push_back({}); }) <= 17);
  }
}

}  // namespace persistent_list_test
