// tact::hash_map does what std::unordered_map does, and each older version stays as it was: random programs.
#include "tact/data/hash_map.hpp"

#include <cctype>
#include <compare>
#include <iterator>
#include <memory>
#include <ranges>
#include <set>
#include <string>
#include <string_view>
#include <type_traits>
#include <unordered_map>
#include <vector>

#include "data/hash_checks.hpp"
#include "data/kinds.hpp"
#include "data/random_program.hpp"
#include "support/catch.hpp"
#include "support/dice.hpp"
#include "support/engine_fixture.hpp"
#include "support/seed.hpp"
#include "tact/simulation.hpp"

namespace hash_map_test {

namespace {

using namespace tact::data_tests;

static_assert(std::ranges::forward_range<tact::hash_map<int, int>>);
static_assert(std::ranges::common_range<const tact::hash_map<std::string, int>>);
static_assert(std::is_nothrow_copy_constructible_v<tact::hash_map<std::string, std::string>>);
static_assert(std::is_nothrow_move_constructible_v<tact::hash_map<std::string, std::string>>);

// The keys have no more than `Hashes` different hashes; 0: as many as there are keys.
template <class Kind, int Hashes = 0>
struct hash_of {
  std::size_t operator()(const auto& key) const {
    const auto number = static_cast<unsigned>(Kind::number_of(key));
    return Hashes == 0 ? number : number % std::max(1u, static_cast<unsigned>(Hashes));
  }
};
template <class Kind, int Hashes = 0>
struct hashed : Kind {
  using in_order = typename Kind::table;
  using table = tact::hash_map<typename in_order::key_type, typename in_order::mapped_type, hash_of<Kind, Hashes>>;
  using model = std::unordered_map<int, int>;
};
// Keys that can only be compared by ==.
struct plate {
  int number;
  friend bool operator==(const plate&, const plate&) = default;
};
struct of_plates {
  static constexpr bool has_equal_values = true;
  static plate key(int n) { return {n}; }
  static int value(int n) { return n; }
  static int number_of(const plate& k) { return k.number; }
  static int number_of(int v) { return v; }
};
template <int Hashes>
struct hashed_plates : of_plates {
  using table = tact::hash_map<plate, int, hash_of<of_plates, Hashes>>;
  using model = std::unordered_map<int, int>;
};

struct hash_checks {
  template <class Kind>
  static std::string all_of(const version<Kind>& v) {
    const auto& [t, m] = v;
    if (t.size() != m.size() || t.empty() != m.empty()) return "size";
    std::set<int> seen;
    for (const auto& [k, x] : t) {
      const auto expected = m.find(Kind::number_of(k));
      if (expected == m.end() || expected->second != Kind::number_of(x)) return "the entries";
      seen.insert(expected->first);
    }
    if (seen.size() != m.size()) return "an entry twice, or not at all";
    return fault_of(t);
  }
  template <class Kind>
  static std::string at(const version<Kind>& v, int n) {
    const auto& [t, m] = v;
    const auto key = Kind::key(n);
    const auto found = t.find(key);
    if (t.contains(key) != m.contains(n) || (found != t.end()) != m.contains(n)) return "contains, find";
    if (found == t.end()) return {};
    if (Kind::number_of(found->first) != n || Kind::number_of(t.at(key)) != m.at(n)) return "find, at";
    // From what was found a walk goes on as it would from the beginning.
    const auto left = std::distance(found, t.end());
    if (std::distance(t.begin(), found) + left != static_cast<std::ptrdiff_t>(t.size()))
      return "a walk from the middle";
    return {};
  }
};

}  // namespace

TEMPLATE_TEST_CASE(
    "hash_map: does in random programs what std::unordered_map does, and each older version stays as it was", "[data]",
    hashed<of_ints>, hashed<of_pairs>, hashed<without_equality>, hashed<of_strings>, hashed<that_only_move>,
    hashed<of_200_bytes>, hashed<over_aligned>, (hashed<of_ints, 3>), (hashed<of_strings, 3>),
    (hashed<that_only_move, 40>), hashed_plates<0>, hashed_plates<60>) {
  TACT_SEEDED(seed);
  for (int i = 0; i < tact::support::scaled(10); ++i)
    random_program<TestType, hash_checks>(seed + static_cast<std::uint64_t>(i)).run(300);
}

TEST_CASE("hash_map: machines without SSE2 find the same tags in a leaf", "[data]") {
  TACT_SEEDED(seed);
  tact::support::dice random(seed);
  using nodes = tact::detail::hash_nodes<tact::detail::hash_map_rules<int, int, std::hash<int>, std::equal_to<>>>;
  for (int i = 0; i < 1000; ++i) {
    nodes::leaf_node l(nodes::leaf_most);
    for (auto& tag : l.tags) tag = static_cast<unsigned char>(random.below(i % 2 == 0 ? 3 : 256));
    for (unsigned tag = 0; tag != 256; ++tag) {
      const std::uint32_t hits = nodes::hits_by_words(l, static_cast<unsigned char>(tag));
      for (unsigned at = 0; at != nodes::most_tags; ++at) {
        const bool is_it = l.tags[at] == tag;
        const bool may_be_taken = at % 8 != 0 && l.tags[at] == (tag ^ 1);
        if ((hits >> at & 1) != (is_it ? 1u : 0u) && !may_be_taken) FAIL("tag " << tag << " at " << at);
      }
    }
  }
}

TEST_CASE("hash_map: is made of a list, of a range and of what moves; of equal keys the first one counts", "[data]") {
  const tact::hash_map<std::string, int> a{{"b", 1}, {"a", 2}, {"b", 3}};
  const std::vector<std::pair<const char*, short>> pairs{{"b", 1}, {"a", 2}, {"b", 3}};
  REQUIRE(a == tact::hash_map<std::string, int>(pairs.begin(), pairs.end()));
  REQUIRE(a.at("b") == 1);
  REQUIRE_THROWS_AS(a.at("c"), std::out_of_range);
  std::vector<std::pair<int, std::unique_ptr<int>>> movable;
  movable.emplace_back(7, std::make_unique<int>(8));
  const tact::hash_map<int, std::unique_ptr<int>> moved(std::make_move_iterator(movable.begin()),
                                                        std::make_move_iterator(movable.end()));
  REQUIRE(*moved.at(7) == 8);
}

TEST_CASE("hash_map: a change that changes nothing gives the same table, also where hashes are equal", "[data]") {
  const auto stays = [](auto m, int count) {
    for (int i = 0; i < count; ++i) m = std::move(m).insert(i, i);
    REQUIRE(m.insert(5, 6).is_same_as(m));
    REQUIRE(m.insert_or_assign(5, 5).is_same_as(m));
    REQUIRE(m.erase(count).is_same_as(m));
    REQUIRE(m.transient().persistent().is_same_as(m));
    auto t = m.transient();
    REQUIRE(!t.insert(7, 8));
    REQUIRE(!t.insert_or_assign(7, 7));
    REQUIRE(!t.erase(count));
    REQUIRE(std::move(t).persistent().is_same_as(m));
    REQUIRE(union_of(m, m).is_same_as(m));
    REQUIRE(intersection_of(m, m).is_same_as(m));
    REQUIRE(difference_of(m, {}).is_same_as(m));
    REQUIRE(!m.insert_or_assign(5, 6).is_same_as(m));
    const auto cleared = [](auto all) {
      all.clear();
      return std::move(all).persistent();
    };
    REQUIRE(cleared(m.transient()).is_same_as(decltype(m)()));
  };
  stays(tact::hash_map<int, int>(), 1000);
  stays(hashed<of_ints, 1>::table(), 20);
  stays(hashed<of_ints, 1>::table(), 1000);
  const auto points = tact::hash_map<int, point>().insert(1, {1, 2});
  REQUIRE(points.insert_or_assign(1, {1, 2}).is_same_as(points));
}

namespace {

// A key that is equal to others, and is another one; it counts how often keys are compared.
struct coin {
  int worth;
  int made_in;
  static inline long looks = 0;
  friend bool operator==(const coin& a, const coin& b) {
    ++looks;
    return a.worth == b.worth;
  }
  friend std::strong_ordering operator<=>(const coin& a, const coin& b) {
    ++looks;
    return a.worth <=> b.worth;
  }
};
struct one_hash {
  std::size_t operator()(const auto&) const { return 7; }
};

}  // namespace

TEST_CASE("hash_map: 16,000 keys with equal hashes take few comparisons each, if they have an order", "[data]") {
  tact::hash_map<coin, int, one_hash> m;
  const int count = 16'000;
  coin::looks = 0;
  for (int i = 0; i < count; ++i) m = std::move(m).insert({i, 0}, i);
  for (int i = 0; i < count; ++i) REQUIRE(m.contains(coin{i, 0}));
  const auto full = m;
  for (int i = 0; i < count; ++i) m = m.insert_or_assign({i, 1}, -i);
  for (int i = 0; i < count; ++i) m = m.erase({i, 2});
  CHECK(coin::looks < count * 200L);
  CHECK(m.empty());
  CHECK(full.size() == static_cast<std::size_t>(count));
  CHECK(full.at({15'999, 0}) == 15'999);
  coin::looks = 0;
  CHECK(difference_of(full, full.erase({77, 0})).size() == 1);
  CHECK(coin::looks < 5000);
}

TEST_CASE("hash_map: where hashes are equal, a value takes the place of the old one, by a key that is equal",
          "[data]") {
  const int count = GENERATE(2, 20, 1000);
  tact::hash_map<coin, std::string, one_hash> m;
  for (int i = 0; i < count; ++i) m = m.insert({i, 1900}, "old");
  const auto old = m;
  for (int i = 0; i < count; ++i) {
    m = m.insert_or_assign({i, 2000}, "new");
    REQUIRE(m.at({i, 0}) == "new");
    REQUIRE(m.size() == static_cast<std::size_t>(count));
  }
  for (const auto& [k, v] : m) REQUIRE(v == "new");
  for (const auto& [k, v] : old) REQUIRE((v == "old" && k.made_in == 1900));
  const auto all = union_of(m, old);
  for (const auto& [k, v] : all) REQUIRE(v == "new");
  for (const auto& [k, v] : union_of(old, m)) REQUIRE(v == "old");
  int changed = 0;
  diff(old, m, [&](const auto& d) { changed += d.before->second == "old" && d.after->second == "new" ? 1 : 0; });
  REQUIRE(changed == count);
}

namespace {

// Texts that differ in small and capital letters only are equal, though their order says otherwise.
struct same_letters {
  bool operator()(const std::string& a, const std::string& b) const { return lower(a) == lower(b); }
  static std::string lower(std::string s) {
    for (char& c : s) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return s;
  }
};
// The order does not look at the name: two that are not equal may be neither less nor greater.
struct task {
  int urgency;
  std::string name;
  friend bool operator==(const task&, const task&) = default;
  [[maybe_unused]] friend std::weak_ordering operator<=>(const task& a, const task& b) {
    return a.urgency <=> b.urgency;
  }
};

}  // namespace

TEST_CASE("hash_map: keys with equal hashes are one if Equal says so, whatever their order says", "[data]") {
  tact::hash_map<std::string, int, one_hash, same_letters> words;
  tact::hash_map<task, int, one_hash> tasks;
  tact::hash_map<double, int, one_hash> numbers;
  const auto zero_less = 0.0;
  for (int i = 0; i < 100; ++i) {
    words = words.insert_or_assign("Word" + std::to_string(i), i).insert_or_assign("wORD" + std::to_string(i), -i);
    tasks = tasks.insert({i % 3, std::to_string(i)}, i);
    numbers = numbers.insert(i * 0.5, i).insert(-zero_less, 1);
  }
  REQUIRE(words.size() == 100);
  REQUIRE(words.at("word99") == -99);
  REQUIRE(words.erase("WORD99").size() == 99);
  REQUIRE(tasks.size() == 100);
  REQUIRE(tasks.at({0, "99"}) == 99);
  REQUIRE(numbers.size() == 100);
}

TEST_CASE("hash_map: finds by another type than the key's where Hash and Equal say that they take it", "[data]") {
  struct text_hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view s) const { return std::hash<std::string_view>()(s) % 3; }
  };
  tact::hash_map<std::string, int, text_hash> ages;
  for (int i = 0; i < 200; ++i) ages = std::move(ages).insert(std::to_string(i), i);
  REQUIRE(ages.find(std::string_view("41"))->second == 41);
  REQUIRE(ages.at(std::string_view("77")) == 77);
  REQUIRE(!ages.contains(std::string_view("200")));
  REQUIRE(ages.erase(std::string_view("5")).size() == 199);
  REQUIRE(ages.erase("5").size() == 199);
  auto t = ages.transient();
  REQUIRE(t.erase(std::string_view("5")));
  // Otherwise a key is made of it.
  const tact::hash_map<std::string, int> names{{"Ada", 36}};
  REQUIRE(names.contains("Ada"));
}

TEST_CASE("hash_map: in a simulation the order is the same in each run, and such a table works with others", "[data]") {
  using table = tact::hash_map<int, std::string>;
  const auto numbers_to = [](int count) {
    table t;
    for (int i = 0; i < count; ++i) t = std::move(t).insert(i, std::to_string(i));
    return t;
  };
  const auto outside = numbers_to(500);
  const table empty;
  std::vector<int> orders[2];
  table inside;
  for (auto& order : orders) {
    tact::simulation sim(1);
    inside = empty.insert(500, "500");
    for (int i = 400; i < 1000; ++i) inside = std::move(inside).insert(i, std::to_string(i));
    for (const auto& [k, v] : inside) order.push_back(k);
    // That it is the same in the next process, too.
    REQUIRE(tact::detail::hash_seed() == 0);
  }
  REQUIRE(orders[0] == orders[1]);
  REQUIRE(tact::detail::hash_seed() != 0);
  REQUIRE(opened_hash<table>::trie_of(inside).seed() == 0);
  REQUIRE(opened_hash<table>::trie_of(outside).seed() == tact::detail::hash_seed());
  REQUIRE(union_of(inside, outside) == numbers_to(1000));
  REQUIRE(union_of(outside, inside) == union_of(inside, outside));
  REQUIRE(intersection_of(inside, outside).size() == 100);
  REQUIRE(difference_of(inside, outside).size() == 500);
  REQUIRE(difference_of(outside, inside) == numbers_to(400));
  int differ = 0;
  diff(inside.erase(450), outside.insert_or_assign(451, "new"), [&](const auto&) { ++differ; });
  REQUIRE(differ == 900 + 2);
  REQUIRE(fault_of(union_of(outside, inside)) == "");
}

}  // namespace hash_map_test
