// tact::map does what std::map does, and each older version stays as it was: random programs.
#include "tact/data/map.hpp"

#include <algorithm>
#include <iterator>
#include <ranges>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "data/kinds.hpp"
#include "data/random_program.hpp"
#include "data/tree_checks.hpp"
#include "support/catch.hpp"
#include "support/dice.hpp"
#include "support/engine_fixture.hpp"
#include "support/seed.hpp"

namespace map_test {

namespace {

using namespace tact::data_tests;
using tact::support::dice;

static_assert(std::ranges::bidirectional_range<tact::map<int, int>>);
static_assert(std::ranges::common_range<const tact::map<std::string, int>>);
static_assert(std::is_nothrow_copy_constructible_v<tact::map<std::string, std::string>>);
static_assert(std::is_nothrow_move_constructible_v<tact::map<std::string, std::string>>);

// What is wrong; empty: nothing.
template <class Kind>
std::string forwards_and_backwards(const typename Kind::table& t, const typename Kind::model& m) {
  const auto is_same = [](const auto& a, const auto& b) {
    return Kind::number_of(a.first) == b.first && Kind::number_of(a.second) == b.second;
  };
  if (t.size() != m.size() || t.empty() != m.empty()) return "size";
  if (!std::ranges::equal(t, m, is_same)) return "the entries";
  if (!std::equal(t.rbegin(), t.rend(), m.rbegin(), m.rend(), is_same)) return "the entries backwards";
  return fault_of(t);
}
template <class Kind>
std::string at_key(const version<Kind>& v, int n) {
  const auto& [t, m] = v;
  const auto is_at = [&](auto i, auto expected) {
    return (i == t.end()) == (expected == m.end()) && (i == t.end() || Kind::number_of(i->first) == expected->first);
  };
  const auto key = Kind::key(n);
  if (t.contains(key) != m.contains(n)) return "contains";
  if (!is_at(t.find(key), m.find(n))) return "find";
  if (!is_at(t.lower_bound(key), m.lower_bound(n))) return "lower_bound";
  if (!is_at(t.upper_bound(key), m.upper_bound(n))) return "upper_bound";
  if (m.contains(n) && Kind::number_of(t.at(key)) != m.at(n)) return "at";
  const auto i = t.lower_bound(key);
  if (t.rank(key) != t.index_of(i)) return "rank of a key";
  if (i != t.end() && std::next(i) != t.end() && std::prev(std::next(i)) != i) return "one forwards and one backwards";
  return {};
}

// What is looked at in each version.
struct sorted_checks {
  template <class Kind>
  static std::string all_of(const version<Kind>& v) {
    return forwards_and_backwards<Kind>(v.table, v.model);
  }
  template <class Kind>
  static std::string at(const version<Kind>& v, int n) {
    return at_key(v, n);
  }
};

}  // namespace

TEMPLATE_TEST_CASE("map: does in random programs what std::map does, and each older version stays as it was", "[data]",
                   TACT_ALL_KINDS) {
  TACT_SEEDED(seed);
  static_assert(tact::detail::lies_in_node<typename TestType::table::value_type> == TestType::lies_in_node);
  for (int i = 0; i < tact::support::scaled(18); ++i)
    random_program<TestType, sorted_checks>(seed + static_cast<std::uint64_t>(i)).run(300);
}

TEMPLATE_TEST_CASE("map: has 100,000 entries in each order in which they come, and loses them one by one", "[data]",
                   of_ints, of_strings) {
  TACT_SEEDED(seed);
  const int count = tact::support::sanitized ? 10'000 : 100'000;
  const auto order = GENERATE(0, 1, 2);
  std::vector<int> numbers(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) numbers[static_cast<std::size_t>(i)] = order == 1 ? count - 1 - i : i;
  dice random(seed);
  const auto mix = [&] {
    for (std::size_t i = numbers.size(); i > 1; --i)
      std::swap(numbers[i - 1], numbers[random.below(static_cast<std::uint32_t>(i))]);
  };
  if (order == 2) mix();
  typename TestType::table::transient_type t;
  typename TestType::model m;
  for (const int n : numbers) {
    t.insert(TestType::key(n), TestType::value(n));
    m.emplace(n, n);
  }
  const auto full = t.persistent();
  REQUIRE(forwards_and_backwards<TestType>(full, m) == "");
  if (order == 2) mix();
  for (const int n : numbers) {
    REQUIRE(t.erase(TestType::key(n)));
    if (t.size() % 9973 == 0) REQUIRE(fault_of(t) == "");
  }
  REQUIRE(t.empty());
  REQUIRE(forwards_and_backwards<TestType>(full, m) == "");
}

TEST_CASE("map: is made of a list, of a range and of what moves; of equal keys the first one counts", "[data]") {
  const tact::map<std::string, int> a{{"b", 1}, {"a", 2}, {"b", 3}};
  const std::vector<std::pair<const char*, short>> pairs{{"b", 1}, {"a", 2}, {"b", 3}};
  REQUIRE(a == tact::map<std::string, int>(pairs.begin(), pairs.end()));
  REQUIRE(a.at("b") == 1);
  std::vector<std::pair<int, std::unique_ptr<int>>> movable;
  movable.emplace_back(7, std::make_unique<int>(8));
  const tact::map<int, std::unique_ptr<int>> moved(std::make_move_iterator(movable.begin()),
                                                   std::make_move_iterator(movable.end()));
  REQUIRE(*moved.at(7) == 8);
}

TEST_CASE("map: the borders of an empty one and of one entry are where they are for std::map", "[data]") {
  const tact::map<int, int> none;
  REQUIRE(none.begin() == none.end());
  REQUIRE(none.rbegin() == none.rend());
  REQUIRE(none.find(1) == none.end());
  REQUIRE(none.lower_bound(1) == none.end());
  REQUIRE(none.upper_bound(1) == none.end());
  REQUIRE(none.erase(1).is_same_as(none));
  REQUIRE_THROWS_AS(none.at(1), std::out_of_range);
  const auto one = none.insert(1, 2);
  REQUIRE(std::prev(one.end()) == one.begin());
  REQUIRE(std::next(one.begin()) == one.end());
  REQUIRE(one.lower_bound(0) == one.begin());
  REQUIRE(one.upper_bound(1) == one.end());
}

TEST_CASE("map: finds by what Less compares with the keys, also if that is equal to several of them", "[data]") {
  struct by_first {
    using is_transparent = void;
    bool operator()(const two_words& a, const two_words& b) const { return a < b; }
    bool operator()(const two_words& a, std::int64_t b) const { return a.first < b; }
    bool operator()(std::int64_t a, const two_words& b) const { return a < b.first; }
  };
  tact::transient_map<two_words, std::string, by_first> t;
  std::map<two_words, std::string, by_first> m;
  for (std::int64_t i = 0; i < 3000; ++i) {
    t.insert({i / 500, i % 500}, "");
    m.emplace(two_words{i / 500, i % 500}, "");
  }
  for (std::int64_t first = -1; first < 8; ++first) {
    REQUIRE(std::distance(t.begin(), t.lower_bound(first)) == std::distance(m.begin(), m.lower_bound(first)));
    REQUIRE(std::distance(t.begin(), t.upper_bound(first)) == std::distance(m.begin(), m.upper_bound(first)));
    REQUIRE(t.contains(first) == m.contains(first));
    REQUIRE(t.rank(first) == t.index_of(t.lower_bound(first)));
  }
  const tact::map<std::string, int> names{{"Ada", 36}, {"Alan", 41}};
  REQUIRE(names.find(std::string_view("Alan"))->second == 41);
  REQUIRE(names.erase(std::string_view("Alan")).size() == 1);
  REQUIRE(!names.contains("Grace"));
}

TEST_CASE("map: says the place of each entry, and the entry of each place, however it came to have them", "[data]") {
  tact::map<int, std::string> m;
  REQUIRE(m.rank(7) == 0);
  REQUIRE(m.nth(0) == m.end());
  REQUIRE(m.index_of(m.end()) == 0);
  const int count = tact::support::sanitized ? 3'000 : 30'000;
  for (int i = 0; i < count; ++i) m = std::move(m).insert(i * 2, "");
  const auto old = m;
  // Every third one goes, beside the version that has it still.
  for (int i = 0; i < count; i += 3) m = m.erase(i * 2);
  for (int i = 0; i < count; i += 7) {
    const auto place = static_cast<std::size_t>(i);
    REQUIRE(old.rank(i * 2) == place);
    REQUIRE(old.rank(i * 2 - 1) == place);
    REQUIRE(old.nth(place)->first == i * 2);
    REQUIRE(old.index_of(old.find(i * 2)) == place);
    REQUIRE(m.rank(i * 2) == place - (place + 2) / 3);
  }
  REQUIRE(m.nth(m.size() - 1) == std::prev(m.end()));
  // The middle, and what lies between two keys.
  REQUIRE(old.nth(old.size() / 2)->first == count);
  REQUIRE(old.index_of(old.lower_bound(1000)) - old.index_of(old.lower_bound(500)) == 250);
}

TEST_CASE("map: a change that changes nothing gives the same table", "[data]") {
  tact::map<int, int> m;
  for (int i = 0; i < 1000; ++i) m = std::move(m).insert(i, i);
  REQUIRE(m.insert(5, 6).is_same_as(m));
  REQUIRE(m.insert_or_assign(5, 5).is_same_as(m));
  REQUIRE(m.erase(1000).is_same_as(m));
  REQUIRE(m.transient().persistent().is_same_as(m));
  REQUIRE(union_of(m, m).is_same_as(m));
  REQUIRE(intersection_of(m, m).is_same_as(m));
  REQUIRE(difference_of(m, {}).is_same_as(m));
  REQUIRE(!m.insert_or_assign(5, 6).is_same_as(m));
  const tact::map<int, point> points = tact::map<int, point>().insert(1, {1, 2});
  REQUIRE(points.insert_or_assign(1, {1, 2}).is_same_as(points));
}

}  // namespace map_test
