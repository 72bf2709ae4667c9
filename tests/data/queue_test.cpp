// tact::queue does what std::deque does at its two ends, and each older version stays as it was.
#include "tact/data/queue.hpp"

#include <algorithm>
#include <deque>
#include <iterator>
#include <memory>
#include <ranges>
#include <string>
#include <vector>

#include "data/failures.hpp"
#include "data/row_checks.hpp"
#include "support/catch.hpp"
#include "support/dice.hpp"
#include "support/engine_fixture.hpp"
#include "support/seed.hpp"

namespace queue_test {

namespace {

using namespace tact::data_tests;
using tact::support::dice;
using tact::support::scaled;

static_assert(std::ranges::bidirectional_range<tact::queue<int>>);
static_assert(std::ranges::common_range<const tact::queue<std::string>>);
static_assert(std::is_nothrow_copy_constructible_v<tact::queue<std::string>>);
static_assert(std::is_nothrow_move_constructible_v<tact::queue<std::string>>);
static_assert(std::is_nothrow_copy_assignable_v<tact::queue<std::string>>);

template <class Kind>
using table = tact::queue<decltype(Kind::value(0))>;
using numbers = std::deque<int>;

template <class Kind>
struct version {
  table<Kind> queue;
  numbers model;
};

// What is wrong; empty: nothing.
template <class Kind>
std::string all_of(const version<Kind>& v) {
  const auto is_same = [](const auto& a, int b) { return Kind::number_of(a) == b; };
  const auto& [t, m] = v;
  if (t.size() != m.size() || t.empty() != m.empty()) return "size";
  if (!std::ranges::equal(t, m, is_same)) return "the entries";
  if (!std::equal(t.rbegin(), t.rend(), m.rbegin(), m.rend(), is_same)) return "the entries backwards";
  if (!m.empty() && (!is_same(t.front(), m.front()) || !is_same(t.back(), m.back()))) return "front or back";
  if (!m.empty() && (&t.front() != &*t.begin() || &t.back() != &*std::prev(t.end()))) return "front or back";
  return fault_of_row(t);
}

template <class Kind>
class program {
 public:
  explicit program(std::uint64_t seed) : random_(seed), long_(1u << (2 + random_.below(11))) { versions_.resize(6); }

  void run(int steps) {
    for (int i = 0; i < steps; ++i) {
      version<Kind> v = any();
      step(v, random_.below(6));
      any() = std::move(v);
      INFO("step " << i);
      const version<Kind>& seen = any();
      if (seen.model.size() < 200 || random_.below(20) == 0) REQUIRE(all_of(seen) == "");
      if constexpr (Kind::has_equal_values && requires { seen.queue == seen.queue; }) {
        const version<Kind>& other = any();
        REQUIRE((seen.queue == other.queue) == (seen.model == other.model));
      }
    }
    for (const version<Kind>& v : versions_) REQUIRE(all_of(v) == "");
    table<Kind> last = versions_.front().queue;
    while (!last.empty()) last = std::move(last).pop_front();
    REQUIRE(fault_of_row(last) == "");
    for (const version<Kind>& v : versions_) REQUIRE(all_of(v) == "");
  }

 private:
  version<Kind>& any() { return versions_[random_.below(static_cast<std::uint32_t>(versions_.size()))]; }

  void push(version<Kind>& v, bool in_place) {
    const int x = static_cast<int>(random_.below(100));
    v.queue = in_place ? std::move(v.queue).push_back(Kind::value(x)) : v.queue.push_back(Kind::value(x));
    v.model.push_back(x);
  }
  void pop(version<Kind>& v, bool in_place) {
    if (v.model.empty()) return;
    v.queue = in_place ? std::move(v.queue).pop_front() : v.queue.pop_front();
    v.model.pop_front();
  }
  void step(version<Kind>& v, std::uint32_t what) {
    const bool in_place = random_.below(2) == 0;
    const std::uint32_t count = what < 2 ? 1 : random_.below(long_);
    for (std::uint32_t i = 0; i < count; ++i) {
      // A queue that grows, one that ends, and one that goes on at a length of its own.
      const bool grows = what == 0 || what == 2 || (what > 3 && i % 2 == 0);
      grows ? push(v, in_place) : pop(v, in_place);
      if (random_.below(200) == 0) any() = v;
    }
  }

  dice random_;
  std::uint32_t long_;
  std::vector<version<Kind>> versions_;
};

tact::queue<link_to_number> with_links(int count) {
  tact::queue<link_to_number> q;
  for (int i = 0; i < count; ++i) q = std::move(q).push_back(link_to_number(i));
  return q;
}

}  // namespace

TEMPLATE_TEST_CASE("queue: does in random programs what std::deque does, and each older version stays as it was",
                   "[data]", TACT_KINDS_OF_ENTRIES) {
  TACT_SEEDED(seed);
  for (int i = 0; i < scaled(18); ++i) program<TestType>(seed + static_cast<std::uint64_t>(i)).run(150);
  REQUIRE(link_to_number::alive == 0);
}

TEMPLATE_TEST_CASE("queue: goes on for ever at whatever length, and its trie stays as low as that", "[data]", of_ints,
                   of_links) {
  const int length = GENERATE(1, 7, 8, 9, 31, 33, 64, 300, 2000, 20'000);
  version<TestType> v;
  for (int i = 0; i < length * 3 + 5000; ++i) {
    v.queue = std::move(v.queue).push_back(TestType::value(i));
    if (i < length) continue;
    REQUIRE(TestType::number_of(v.queue.front()) == i - length);
    v.queue = std::move(v.queue).pop_front();
    if (i % 997 == 0) REQUIRE(fault_of_row(v.queue) == "");
  }
  REQUIRE(static_cast<int>(v.queue.size()) == length);
  REQUIRE(fault_of_row(v.queue) == "");
}

TEST_CASE("queue: an entry ends when the last queue that has it is changed or ends, however long it is", "[data]") {
  for (const int length : {1, 2, 5, 8, 9, 20, 300}) {
    INFO(length);
    auto q = with_links(length);
    REQUIRE(link_to_number::alive == length);
    for (int left = length; left > 0; --left) {
      REQUIRE(link_to_number::alive == left);
      if (left % 2 == 0) {
        q = std::move(q).pop_front();
      } else {
        q = q.pop_front();
      }
    }
    REQUIRE(link_to_number::alive == 0);
    const auto old = with_links(length);
    auto fresh = old;
    for (int i = 0; i < length; ++i) fresh = fresh.push_back(link_to_number(i)).pop_front();
    fresh = {};
    REQUIRE(link_to_number::alive == length);
  }
  REQUIRE(link_to_number::alive == 0);
}

TEST_CASE("queue: a change of an old version takes as long as one of the newest, again and again", "[data]") {
  // Memory says it: each of these makes some nodes, and never copies the queue.
  constexpr int length = 20'000;
  auto q = with_links(length);
  long most = 0;
  for (int i = 0; i < 600; ++i) {
    const long before = link_to_number::alive;
    const auto longer = q.push_back(link_to_number(0));
    const auto shorter = q.pop_front();
    const auto both = longer.pop_front();
    most = std::max(most, link_to_number::alive - before);
    q = std::move(q).pop_front();
  }
  // Three copies of a leaf at most, and the new entry.
  REQUIRE(most <= 3 * static_cast<long>(opened_row<tact::queue<link_to_number>>::leaf_width) + 3);
}

TEST_CASE("queue: is made of a list, of a range and of what moves, and says which is a copy", "[data]") {
  const tact::queue<std::string> a{"b", "a", "b"};
  const std::vector<const char*> texts{"b", "a", "b"};
  REQUIRE(a == tact::queue<std::string>(texts.begin(), texts.end()));
  REQUIRE(!(a == a.pop_front()));
  const tact::queue<std::string> copy = a;
  REQUIRE(copy.is_same_as(a));
  REQUIRE(!a.push_back("").is_same_as(a));
  REQUIRE(!tact::queue<int>{1, 1}.pop_front().is_same_as(tact::queue<int>{1}));
  std::vector<std::unique_ptr<int>> movable;
  movable.push_back(std::make_unique<int>(8));
  const tact::queue<std::unique_ptr<int>> moved(std::make_move_iterator(movable.begin()),
                                                std::make_move_iterator(movable.end()));
  REQUIRE(*moved.front() == 8);
}

// -- trouble

namespace {

template <class Entry>
int number_of(const Entry& e) {
  if constexpr (requires { e.number; }) {
    return e.number;
  } else {
    return static_cast<int>(e);
  }
}
template <class Entry>
numbers numbers_of(const tact::queue<Entry>& q) {
  numbers all;
  for (const Entry& e : q) all.push_back(number_of(e));
  return all;
}

// At each place of a head, and with each number of entries in a tail, of queues of several lengths.
template <class Entry, class Fails>
void require_whole_after(Fails fails) {
  long failures = 0;
  constexpr int width = static_cast<int>(opened_row<tact::queue<Entry>>::leaf_width);
  for (const int length : {1, width - 1, 2 * width, 3 * width, 35 * width}) {
    tact::queue<Entry> q;
    for (int i = 0; i < length; ++i) q = std::move(q).push_back(Entry(i));
    for (int round = 0; round < 2 * width; ++round) {
      const numbers before = numbers_of(q);
      for (int what = 0; what < 4; ++what) {
        for (long n = 0;; ++n) {
          tact::queue<Entry> changed = q;
          const bool failed = fails(n, [&] {
            if (what == 0) changed = std::move(changed).push_back(Entry(-1));
            if (what == 1) changed = changed.push_back(Entry(-1));
            if (what == 2) changed = std::move(changed).pop_front();
            if (what == 3) changed = changed.pop_front();
          });
          numbers after = before;
          what < 2 ? after.push_back(-1) : after.pop_front();
          INFO("change " << what << " in round " << round << ", failure " << n);
          REQUIRE(numbers_of(changed) == (failed ? before : after));
          REQUIRE(fault_of_row(changed) == "");
          REQUIRE(numbers_of(q) == before);
          if (!failed) break;
          ++failures;
        }
      }
      q = q.push_back(Entry(length + round)).pop_front();
    }
  }
  REQUIRE(failures > 0);
}

}  // namespace

TEMPLATE_TEST_CASE("queue: when memory is refused, at any allocation, all queues have their entries as before",
                   "[data]", touchy, link_to_number, std::int64_t) {
  require_whole_after<TestType>([](long n, auto f) { return fails_without_memory(n, f); });
  REQUIRE(touchy::alive == 0);
  REQUIRE(link_to_number::alive == 0);
}

TEST_CASE("queue: when a copy throws, at any call, all queues have their entries as before", "[data]") {
  require_whole_after<touchy>([](long n, auto f) { return fails_by_throwing(n, f); });
  REQUIRE(touchy::alive == 0);
}

TEST_CASE("queue: memory that is refused while it is changed in place costs no entry", "[data]") {
  TACT_SEEDED(seed);
  dice random(seed);
  long failures = 0;
  for (int round = 0; round < scaled(30); ++round) {
    tact::queue<link_to_number> q;
    int next = 0;
    int first = 0;
    for (int i = 0; i < 1000; ++i) {
      const bool grows = random.below(500) > static_cast<std::uint32_t>(next - first);
      const bool failed = fails_without_memory(random.below(3), [&] {
        if (grows) q = std::move(q).push_back(link_to_number(next));
        if (!grows) q = std::move(q).pop_front();
      });
      if (!failed) ++(grows ? next : first);
      failures += failed ? 1 : 0;
      REQUIRE((first == next) == q.empty());
      if (first != next) REQUIRE(q.front().number == first);
    }
    REQUIRE(fault_of_row(q) == "");
    for (const auto& e : q) REQUIRE(e.number == first++);
  }
  REQUIRE(failures > 0);
  REQUIRE(link_to_number::alive == 0);
}

}  // namespace queue_test
