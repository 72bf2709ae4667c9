// tact::vector does what std::vector does, and each older version stays as it was: random programs, and trouble.
#include "tact/data/vector.hpp"

#include <algorithm>
#include <iterator>
#include <ranges>
#include <stdexcept>
#include <string>
#include <vector>

#include "data/failures.hpp"
#include "data/row_checks.hpp"
#include "support/catch.hpp"
#include "support/dice.hpp"
#include "support/engine_fixture.hpp"
#include "support/seed.hpp"

namespace vector_test {

namespace {

using namespace tact::data_tests;
using tact::support::dice;
using tact::support::scaled;

static_assert(std::ranges::random_access_range<tact::vector<int>>);
static_assert(std::ranges::common_range<const tact::vector<std::string>>);
static_assert(std::ranges::sized_range<const tact::vector<std::string>>);
static_assert(std::is_nothrow_copy_constructible_v<tact::vector<std::string>>);
static_assert(std::is_nothrow_move_constructible_v<tact::vector<std::string>>);
static_assert(std::is_nothrow_move_assignable_v<tact::vector<std::string>>);

template <class Kind>
using table = tact::vector<decltype(Kind::value(0))>;
using numbers = std::vector<int>;

template <class Kind>
struct version {
  table<Kind> vector;
  numbers model;
};

// What is wrong; empty: nothing. Each way to an entry must lead to the same one.
template <class Kind>
std::string all_of(const version<Kind>& v) {
  const auto is_same = [](const auto& a, int b) { return Kind::number_of(a) == b; };
  const auto& [t, m] = v;
  if (t.size() != m.size() || t.empty() != m.empty()) return "size";
  if (!std::ranges::equal(t, m, is_same)) return "the entries";
  if (!std::equal(t.rbegin(), t.rend(), m.rbegin(), m.rend(), is_same)) return "the entries backwards";
  for (std::size_t i = 0; i < m.size(); ++i) {
    const auto at = t.begin() + static_cast<std::ptrdiff_t>(i);
    if (!is_same(t[i], m[i]) || &t.at(i) != &t[i] || &*at != &t[i]) return "the entry at a place";
    if (t.end() - at != static_cast<std::ptrdiff_t>(m.size() - i)) return "the distance of iterators";
  }
  if (!m.empty() && (&t.front() != &t[0] || &t.back() != &t[m.size() - 1])) return "front or back";
  return fault_of_row(t);
}
template <class Kind>
std::string difference_between(const version<Kind>& from, const version<Kind>& to) {
  numbers expected;
  const auto has = [](const numbers& m, std::size_t i) { return i < m.size(); };
  for (std::size_t i = 0; has(from.model, i) || has(to.model, i); ++i) {
    const bool has_both = has(from.model, i) && has(to.model, i);
    if (!has_both || from.model[i] != to.model[i]) expected.push_back(static_cast<int>(i));
  }
  numbers told;
  std::string wrong;
  diff(from.vector, to.vector, [&](std::size_t i, const tact::difference<typename table<Kind>::value_type>& d) {
    if ((d.before != nullptr) != has(from.model, i) || (d.after != nullptr) != has(to.model, i)) wrong = "diff: sides";
    if (d.before != nullptr && Kind::number_of(*d.before) != from.model[i]) wrong = "diff: before";
    if (d.after != nullptr && Kind::number_of(*d.after) != to.model[i]) wrong = "diff: after";
    // Values that are equal but are not the same object.
    if (!Kind::has_equal_values && !std::ranges::binary_search(expected, static_cast<int>(i))) return;
    told.push_back(static_cast<int>(i));
  });
  return wrong.empty() && told != expected ? "diff" : wrong;
}

template <class Kind>
class program {
 public:
  explicit program(std::uint64_t seed) : random_(seed), long_(1u << (2 + random_.below(11))) { versions_.resize(6); }

  void run(int steps) {
    for (int i = 0; i < steps; ++i) {
      step(random_.below(8));
      INFO("step " << i);
      const version<Kind>& seen = any();
      if (seen.model.size() < 200 || random_.below(20) == 0) REQUIRE(all_of(seen) == "");
    }
    for (const version<Kind>& v : versions_) REQUIRE(all_of(v) == "");
    auto last = versions_.front().vector.transient();
    while (!last.empty()) last.pop_back();
    REQUIRE(!opened_row<table<Kind>>::has_nodes(last.persistent()));
    for (const version<Kind>& v : versions_) REQUIRE(all_of(v) == "");
  }

 private:
  version<Kind>& any() { return versions_[random_.below(static_cast<std::uint32_t>(versions_.size()))]; }
  int number() { return static_cast<int>(random_.below(5)); }
  std::size_t place_in(const numbers& m) { return random_.below(static_cast<std::uint32_t>(m.size())); }

  void step(std::uint32_t what) {
    version<Kind> v = any();
    const int x = number();
    switch (what) {
      case 0:
        v.vector = v.vector.push_back(Kind::value(x));
        v.model.push_back(x);
        break;
      case 1:
        if (v.model.empty()) break;
        v.vector = v.vector.pop_back();
        v.model.pop_back();
        break;
      case 2:
        if (v.model.empty()) break;
        if (const std::size_t at = place_in(v.model); true) {
          v.vector = v.vector.set(at, Kind::value(x));
          v.model[at] = x;
        }
        break;
      case 3:
        with(any(), v);
        break;
      case 4:
        in_place(v);
        break;
      default:
        many(v);
        break;
    }
    any() = std::move(v);
  }
  void with(const version<Kind>& a, const version<Kind>& b) {
    REQUIRE(difference_between(a, b) == "");
    REQUIRE(difference_between(b, a) == "");
    if constexpr (Kind::has_equal_values && requires { a.vector == b.vector; })
      REQUIRE((a.vector == b.vector) == (a.model == b.model));
  }
  void in_place(version<Kind>& v) {
    const std::uint32_t count = random_.below(40);
    for (std::uint32_t i = 0; i < count; ++i) {
      const int x = number();
      const std::uint32_t what = random_.below(3);
      if (what == 0 || v.model.empty()) {
        v.vector = std::move(v.vector).push_back(Kind::value(x));
        v.model.push_back(x);
      } else if (what == 1) {
        v.vector = std::move(v.vector).pop_back();
        v.model.pop_back();
      } else {
        const std::size_t at = place_in(v.model);
        v.vector = std::move(v.vector).set(at, Kind::value(x));
        v.model[at] = x;
      }
    }
  }
  // Changes in place, of which some are kept.
  void many(version<Kind>& v) {
    auto t = random_.below(2) == 0 ? v.vector.transient() : std::move(v.vector).transient();
    const std::uint32_t count = random_.below(long_);
    const std::uint32_t what = random_.below(3);
    for (std::uint32_t i = 0; i < count; ++i) {
      const int x = number();
      if (what == 0) {
        t.push_back(Kind::value(x));
        v.model.push_back(x);
      } else if (!v.model.empty() && what == 1) {
        t.pop_back();
        v.model.pop_back();
      } else if (!v.model.empty()) {
        const std::size_t at = place_in(v.model);
        const bool is_other = v.model[at] != x;
        REQUIRE(t.set(at, Kind::value(x)) == (is_other || !Kind::has_equal_values));
        v.model[at] = x;
      }
      if (random_.below(100) == 0) any() = version<Kind>{t.persistent(), v.model};
    }
    v.vector = std::move(t).persistent();
  }

  dice random_;
  std::uint32_t long_;
  std::vector<version<Kind>> versions_;
};

template <class Vector>
Vector with_numbers(int count) {
  typename Vector::transient_type t;
  for (int i = 0; i < count; ++i) t.push_back(typename Vector::value_type(i));
  return std::move(t).persistent();
}

}  // namespace

TEMPLATE_TEST_CASE("vector: does in random programs what std::vector does, and each older version stays as it was",
                   "[data]", TACT_KINDS_OF_ENTRIES) {
  TACT_SEEDED(seed);
  for (int i = 0; i < scaled(18); ++i) program<TestType>(seed + static_cast<std::uint64_t>(i)).run(200);
  REQUIRE(link_to_number::alive == 0);
}

TEMPLATE_TEST_CASE("vector: has as many entries as four levels of nodes, and loses them one by one", "[data]", of_ints,
                   of_links) {
  const int count = tact::support::sanitized ? 20'000 : 300'000;
  version<TestType> v;
  auto t = v.vector.transient();
  for (int i = 0; i < count; ++i) {
    t.push_back(TestType::value(i));
    v.model.push_back(i);
  }
  v.vector = t.persistent();
  REQUIRE(all_of(v) == "");
  for (int i = count; i > 0; --i) {
    REQUIRE(TestType::number_of(t.back()) == i - 1);
    t.pop_back();
    if (i % 9973 == 0) REQUIRE(fault_of_row(t.persistent()) == "");
  }
  REQUIRE(t.empty());
  REQUIRE(all_of(v) == "");
}

TEST_CASE("vector: is made of a list, of a range and of what moves; a place that it does not have is refused",
          "[data]") {
  const tact::vector<std::string> a{"b", "a", "b"};
  const std::vector<const char*> texts{"b", "a", "b"};
  REQUIRE(a == tact::vector<std::string>(texts.begin(), texts.end()));
  std::vector<std::unique_ptr<int>> movable;
  movable.push_back(std::make_unique<int>(8));
  const tact::vector<std::unique_ptr<int>> moved(std::make_move_iterator(movable.begin()),
                                                 std::make_move_iterator(movable.end()));
  REQUIRE(*moved.at(0) == 8);
  REQUIRE_THROWS_AS(a.at(3), std::out_of_range);
  REQUIRE_THROWS_AS(a.set(3, ""), std::out_of_range);
  REQUIRE_THROWS_AS(tact::vector<int>().at(0), std::out_of_range);
  REQUIRE(tact::vector<int>().begin() == tact::vector<int>::iterator(tact::vector<int>().end()));
}

TEST_CASE("vector: an entry may be put into the vector in which it lies", "[data]") {
  auto v = with_numbers<tact::vector<int>>(1000);
  for (std::size_t i = 0; i < 100; ++i) v = std::move(v).push_back(v[i]);
  for (std::size_t i = 0; i < 100; ++i) v = std::move(v).set(i, v[999 - i]);
  REQUIRE(v[1050] == 50);
  REQUIRE(v[50] == 949);
}

TEST_CASE("vector: a change that changes nothing gives the same vector", "[data]") {
  const auto v = with_numbers<tact::vector<int>>(1000);
  REQUIRE(v.set(5, 5).is_same_as(v));
  REQUIRE(v.transient().persistent().is_same_as(v));
  REQUIRE(!v.set(5, 6).is_same_as(v));
  REQUIRE(!v.push_back(1).is_same_as(v));
  REQUIRE(v.push_back(1).pop_back() == v);
  const auto points = tact::vector<point>().push_back({1, 2});
  REQUIRE(points.set(0, {1, 2}).is_same_as(points));
}

namespace {

// An entry whose comparisons are counted.
struct counting {
  explicit counting(int n) : number(n) {}
  int number;
  static inline std::uint64_t calls = 0;
  friend bool operator==(const counting& a, const counting& b) {
    ++calls;
    return a.number == b.number;
  }
};

}  // namespace

TEST_CASE("vector: what two versions share costs nothing when they are compared", "[data]") {
  TACT_SEEDED(seed);
  dice random(seed);
  constexpr int changes = 10;
  // Those of a leaf for each change, and of the two leaves at the ends.
  constexpr std::uint64_t few = (changes + 2) * opened_row<tact::vector<counting>>::leaf_width;
  const auto large = with_numbers<tact::vector<counting>>(200'000);
  auto changed = large;
  for (int i = 0; i < changes; ++i) changed = changed.set(random.below(200'000), counting(-1));
  const auto longer = changed.push_back(counting(1)).push_back(counting(2));
  const auto told_of = [&](const auto& a, const auto& b) {
    counting::calls = 0;
    int told = 0;
    diff(a, b, [&](std::size_t, const auto&) { ++told; });
    CHECK(counting::calls <= few);
    return told;
  };
  CHECK(told_of(large, changed) <= changes);
  CHECK(told_of(large, changed) > 0);
  CHECK(told_of(changed, longer) == 2);
  CHECK(told_of(longer, large) <= changes + 2);
  counting::calls = 0;
  CHECK(!(large == changed));
  CHECK(counting::calls <= few);
}

// -- trouble

namespace {

struct touchy_entries {
  using vector = tact::vector<touchy>;
  static touchy make(int n) { return touchy(n); }
  static int number_of(const touchy& t) { return t.number; }
};
struct link_entries {
  using vector = tact::vector<link_to_number>;
  static link_to_number make(int n) { return link_to_number(n); }
  static int number_of(const link_to_number& l) { return l.number; }
};
struct plain_entries {
  using vector = tact::vector<std::int64_t>;
  static std::int64_t make(int n) { return n; }
  static int number_of(std::int64_t n) { return static_cast<int>(n); }
};

template <class Kind>
numbers numbers_of(const typename Kind::vector& v) {
  numbers all;
  for (const auto& e : v) all.push_back(Kind::number_of(e));
  return all;
}
template <class Kind>
void change(typename Kind::vector& v, std::uint32_t what, std::size_t place) {
  switch (what) {
    case 0:
      v = std::move(v).push_back(Kind::make(7));
      break;
    case 1:
      v = std::move(v).pop_back();
      break;
    case 2:
      v = std::move(v).set(place, Kind::make(-7));
      break;
    case 3:
      v = v.push_back(Kind::make(8));
      break;
    case 4:
      v = v.pop_back();
      break;
    default:
      v = v.set(place, Kind::make(-8));
      break;
  }
}

// At each size at which nodes are made or leave, and at some others.
template <class Kind, class Fails>
void require_whole_after(std::uint64_t seed, Fails fails) {
  dice random(seed);
  long failures = 0;
  constexpr std::size_t width = opened_row<typename Kind::vector>::leaf_width;
  for (const std::size_t leaves : {0u, 1u, 2u, 3u, 33u, 34u, 1026u}) {
    for (std::size_t more = 0; more < 3; ++more) {
      const int size = static_cast<int>(leaves * width + (more == 2 ? random.below(width) : more));
      if (size == 0) continue;
      const auto v = [&] {
        typename Kind::vector::transient_type t;
        for (int i = 0; i < size; ++i) t.push_back(Kind::make(i));
        return std::move(t).persistent();
      }();
      const numbers before = numbers_of<Kind>(v);
      for (std::uint32_t what = 0; what < 6; ++what) {
        const std::size_t place = random.below(static_cast<std::uint32_t>(size));
        for (long n = 0;; ++n) {
          typename Kind::vector changed = v;
          const bool failed = fails(n, [&] { change<Kind>(changed, what, place); });
          INFO("change " << what << " of " << size << " entries, failure " << n);
          numbers after = before;
          if (what % 3 == 0) after.push_back(what == 0 ? 7 : 8);
          if (what % 3 == 1) after.pop_back();
          if (what % 3 == 2) after[place] = what == 2 ? -7 : -8;
          REQUIRE(numbers_of<Kind>(changed) == (failed ? before : after));
          REQUIRE(fault_of_row(changed) == "");
          REQUIRE(numbers_of<Kind>(v) == before);
          if (!failed) break;
          ++failures;
          change<Kind>(changed, what, place);
          REQUIRE(numbers_of<Kind>(changed) == after);
        }
      }
    }
  }
  REQUIRE(failures > 0);
}

}  // namespace

TEMPLATE_TEST_CASE("vector: when memory is refused, at any allocation, all vectors have their entries as before",
                   "[data]", touchy_entries, link_entries, plain_entries) {
  TACT_SEEDED(seed);
  require_whole_after<TestType>(seed, [](long n, auto f) { return fails_without_memory(n, f); });
  REQUIRE(touchy::alive == 0);
  REQUIRE(link_to_number::alive == 0);
}

TEST_CASE("vector: when a copy or a comparison throws, at any call, all vectors have their entries as before",
          "[data]") {
  TACT_SEEDED(seed);
  require_whole_after<touchy_entries>(seed, [](long n, auto f) { return fails_by_throwing(n, f); });
  REQUIRE(touchy::alive == 0);
}

TEST_CASE("vector: memory that is refused while it is changed in place costs no entry", "[data]") {
  TACT_SEEDED(seed);
  dice random(seed);
  long failures = 0;
  for (int round = 0; round < scaled(30); ++round) {
    auto v = with_numbers<tact::vector<touchy>>(static_cast<int>(random.below(1500)));
    for (int i = 0; i < 200; ++i) {
      const std::size_t size = v.size();
      const bool grows = random.below(2) == 0 || size == 0;
      const bool failed = fails_without_memory(random.below(2), [&] {
        v = grows ? std::move(v).push_back(touchy(static_cast<int>(size))) : std::move(v).pop_back();
      });
      failures += failed ? 1 : 0;
      REQUIRE(v.size() == (failed ? size : grows ? size + 1 : size - 1));
    }
    REQUIRE(fault_of_row(v) == "");
    for (std::size_t i = 0; i < v.size(); ++i) REQUIRE(v[i].number == static_cast<int>(i));
  }
  REQUIRE(failures > 0);
  REQUIRE(touchy::alive == 0);
}

}  // namespace vector_test
