// tact::map does what std::map does, and each older version stays as it was: random programs.
#include "tact/data/map.hpp"

#include <algorithm>
#include <iterator>
#include <ranges>
#include <set>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "data/kinds.hpp"
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

template <class Kind>
struct version {
  typename Kind::table table;
  typename Kind::model model;
};

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
template <class Kind>
std::string difference_between(const version<Kind>& from, const version<Kind>& to) {
  std::set<int> expected;
  for (const auto& [k, v] : from.model)
    if (const auto i = to.model.find(k); i == to.model.end() || i->second != v) expected.insert(k);
  for (const auto& [k, v] : to.model)
    if (!from.model.contains(k)) expected.insert(k);
  std::string wrong;
  std::vector<int> told;
  diff(from.table, to.table, [&](const tact::difference<typename Kind::table::value_type>& d) {
    const int n = Kind::number_of(d.before != nullptr ? d.before->first : d.after->first);
    const bool has_both = d.before != nullptr && d.after != nullptr;
    if ((d.before != nullptr) != from.model.contains(n) || (d.after != nullptr) != to.model.contains(n))
      wrong = "diff: sides";
    // Values that are equal but are not the same object.
    if (!Kind::has_equal_values && has_both && !expected.contains(n)) return;
    told.push_back(n);
  });
  if (!std::ranges::is_sorted(told, typename Kind::table::key_compare())) wrong = "diff: order";
  if (std::set<int>(told.begin(), told.end()) != expected || told.size() != expected.size()) wrong = "diff";
  return wrong;
}

template <class Kind>
class program {
 public:
  explicit program(std::uint64_t seed) : random_(seed), keys_(1u << (3 + random_.below(12))) { versions_.resize(8); }

  void run(int steps) {
    for (int i = 0; i < steps; ++i) {
      step(random_.below(11));
      INFO("step " << i);
      const version<Kind>& seen = any();
      REQUIRE(at_key(seen, key()) == "");
      if (seen.model.size() < 200 || random_.below(20) == 0) REQUIRE(all_of(seen) == "");
    }
    for (const version<Kind>& v : versions_) REQUIRE(all_of(v) == "");
    while (!versions_.front().model.empty()) shrink(versions_.front());
    REQUIRE(all_of(versions_.front()) == "");
    REQUIRE(opened<typename Kind::table>::tree_of(versions_.front().table).root() == nullptr);
    for (const version<Kind>& v : versions_) REQUIRE(all_of(v) == "");
  }

 private:
  static std::string all_of(const version<Kind>& v) { return forwards_and_backwards<Kind>(v.table, v.model); }
  version<Kind>& any() { return versions_[random_.below(static_cast<std::uint32_t>(versions_.size()))]; }
  int key() { return static_cast<int>(random_.below(keys_)); }
  int value() { return static_cast<int>(random_.below(5)); }

  void step(std::uint32_t what) {
    version<Kind> v = any();
    const int k = key();
    const int x = value();
    switch (what) {
      case 0:
        v.table = v.table.insert(Kind::key(k), Kind::value(x));
        v.model.emplace(k, x);
        break;
      case 1:
        v.table = std::move(v.table).insert(Kind::key(k), Kind::value(x));
        v.model.emplace(k, x);
        break;
      case 2:
        v.table = v.table.insert_or_assign(Kind::key(k), Kind::value(x));
        v.model[k] = x;
        break;
      case 3:
        v.table = std::move(v.table).insert_or_assign(Kind::key(k), Kind::value(x));
        v.model[k] = x;
        break;
      case 4:
        v.table = v.table.erase(Kind::key(k));
        v.model.erase(k);
        break;
      case 5:
        v.table = std::move(v.table).erase(Kind::key(k));
        v.model.erase(k);
        break;
      case 6:
        shrink(v);
        break;
      case 7:
        two_tables(v, any());
        break;
      default:
        many(v);
        break;
    }
    any() = std::move(v);
  }
  // Changes in place, of which some are kept.
  void many(version<Kind>& v) {
    auto t = random_.below(2) == 0 ? v.table.transient() : std::move(v.table).transient();
    const std::uint32_t order = random_.below(3);
    const std::uint32_t count = random_.below(300);
    int k = key();
    for (std::uint32_t i = 0; i < count; ++i) {
      k = order == 0 ? key() : order == 1 ? k + 1 : std::max(0, k - 1);
      const int x = value();
      const bool is_new = !v.model.contains(k);
      const std::uint32_t what = random_.below(8);
      if (what < 3) {
        REQUIRE(t.insert(Kind::key(k), Kind::value(x)) == is_new);
        v.model.emplace(k, x);
      } else if (what < 7) {
        REQUIRE(t.insert_or_assign(Kind::key(k), Kind::value(x)) == is_new);
        v.model[k] = x;
      } else {
        REQUIRE(t.erase(Kind::key(k)) == !is_new);
        v.model.erase(k);
      }
      if (random_.below(100) == 0) any() = {t.persistent(), v.model};
    }
    v.table = std::move(t).persistent();
  }
  // Takes out a run of keys, each one by the key that lies in the table.
  void shrink(version<Kind>& v) {
    auto t = random_.below(2) == 0 ? v.table.transient() : std::move(v.table).transient();
    const bool from_front = random_.below(2) == 0;
    for (std::uint32_t i = random_.below(400); i != 0 && !t.empty(); --i) {
      const auto at = from_front ? t.begin() : std::prev(t.end());
      v.model.erase(Kind::number_of(at->first));
      REQUIRE(t.erase(at->first));
    }
    v.table = std::move(t).persistent();
  }
  void two_tables(version<Kind>& a, const version<Kind>& b) {
    REQUIRE(difference_between(a, b) == "");
    REQUIRE(difference_between(b, a) == "");
    if constexpr (Kind::has_equal_values && requires { a.table == b.table; })
      REQUIRE((a.table == b.table) == (a.model == b.model));
    version<Kind> both;
    version<Kind> left;
    version<Kind> all{union_of(a.table, b.table), a.model};
    for (const auto& [k, x] : a.model) (b.model.contains(k) ? both : left).model.emplace(k, x);
    all.model.insert(b.model.begin(), b.model.end());
    both.table = intersection_of(a.table, b.table);
    left.table = difference_of(a.table, b.table);
    for (const version<Kind>* each : {&all, &both, &left}) REQUIRE(all_of(*each) == "");
    a = random_.below(2) == 0 ? all : both;
  }

  dice random_;
  std::uint32_t keys_;
  std::vector<version<Kind>> versions_;
};

}  // namespace

TEMPLATE_TEST_CASE("map: does in random programs what std::map does, and each older version stays as it was", "[data]",
                   TACT_ALL_KINDS) {
  TACT_SEEDED(seed);
  static_assert(tact::detail::lies_in_node<typename TestType::table::value_type> == TestType::lies_in_node);
  for (int i = 0; i < tact::support::scaled(18); ++i) program<TestType>(seed + static_cast<std::uint64_t>(i)).run(300);
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
