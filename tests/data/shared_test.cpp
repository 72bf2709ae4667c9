// Threads that share tables, and actors whose state is one.
#include <array>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "data/tree_checks.hpp"
#include "support/catch.hpp"
#include "support/dice.hpp"
#include "support/engine_fixture.hpp"
#include "support/seed.hpp"
#include "tact/data/map.hpp"
#include "tact/data/queue.hpp"
#include "tact/data/vector.hpp"

namespace shared_test {

namespace {

using namespace tact::data_tests;
using tact::support::dice;
using tact::support::scaled;

template <class V>
V value_of(int n) {
  if constexpr (std::is_same_v<V, std::string>) {
    return "a value longer than a short string has room for: " + std::to_string(n);
  } else {
    return n;
  }
}

// Each value says its key, whatever thread has put it there.
template <class V>
bool is_whole(const tact::map<int, V>& m) {
  std::size_t seen = 0;
  int last = -1;
  for (const auto& [k, v] : m) {
    if (k <= last || v != value_of<V>(k)) return false;
    last = k;
    ++seen;
  }
  return seen == m.size() && fault_of(m).empty();
}

// A place where threads leave tables for each other.
template <class Table>
class exchange {
 public:
  Table look() {
    const std::lock_guard lock(mutex_);
    return table_;
  }
  void leave(Table m) {
    const std::lock_guard lock(mutex_);
    std::swap(table_, m);
  }

 private:
  std::mutex mutex_;
  Table table_;
};

}  // namespace

TEMPLATE_TEST_CASE("map: threads copy, read, change and drop tables that share nodes, and each has its own entries",
                   "[data]", int, std::string) {
  TACT_SEEDED(seed);
  const unsigned threads = GENERATE(1u, 2u, 4u, 8u);
  std::array<exchange<tact::map<int, TestType>>, 3> places;
  tact::transient_map<int, TestType> t;
  for (int i = 0; i < 2000; ++i) t.insert(i * 2, value_of<TestType>(i * 2));
  for (auto& place : places) place.leave(t.persistent());
  std::array<bool, 8> all_whole{};
  tact::support::on_threads(threads, [&](unsigned me) {
    dice random(seed + me);
    bool whole = true;
    tact::map<int, TestType> kept;
    for (int i = 0; i < scaled(1500); ++i) {
      tact::map<int, TestType> mine = places[random.below(3)].look();
      const int k = static_cast<int>(random.below(4000));
      switch (random.below(6)) {
        case 0:
          mine = mine.insert(k, value_of<TestType>(k));
          break;
        case 1:
          mine = std::move(mine).insert_or_assign(k, value_of<TestType>(k));
          break;
        case 2:
          mine = std::move(mine).erase(k);
          break;
        case 3:
          mine = union_of(mine, kept);
          break;
        case 4: {
          auto changed = std::move(mine).transient();
          for (int j = 0; j < 20; ++j) changed.erase(k + j);
          mine = std::move(changed).persistent();
          break;
        }
        default:
          kept = mine;
          break;
      }
      const auto* const found = mine.empty() ? nullptr : std::addressof(*mine.begin());
      whole = whole && (found == nullptr || found->second == value_of<TestType>(found->first));
      if (i % 64 == 0) whole = whole && is_whole(mine) && is_whole(kept);
      places[random.below(3)].leave(std::move(mine));
    }
    all_whole[me] = whole;
  });
  for (unsigned i = 0; i < threads; ++i) CHECK(all_whole[i]);
  for (auto& place : places) CHECK(is_whole(place.look()));
}

namespace {

// An entry says which are beside it: each is one more than the one before it.
template <class Row>
bool goes_up(const Row& row) {
  std::size_t seen = 0;
  int next = 0;
  for (const auto& e : row) {
    int number = 0;
    if constexpr (requires { *e; }) {
      number = *e;
    } else {
      number = e;
    }
    if (seen++ != 0 && number != next) return false;
    next = number + 1;
  }
  return seen == row.size();
}
template <class T>
T entry_of(int n) {
  if constexpr (std::is_same_v<T, int>) {
    return n;
  } else {
    return std::make_shared<const int>(n);
  }
}

}  // namespace

TEMPLATE_TEST_CASE("vector, queue: threads copy, read, change and drop rows that share nodes, and each has its own",
                   "[data]", int, std::shared_ptr<const int>) {
  TACT_SEEDED(seed);
  const unsigned threads = GENERATE(1u, 2u, 4u, 8u);
  struct rows {
    tact::vector<TestType> vector;
    tact::queue<TestType> queue;
    int next = 0;
  };
  std::array<exchange<rows>, 3> places;
  rows all;
  for (; all.next < 1500; ++all.next) {
    all.vector = std::move(all.vector).push_back(entry_of<TestType>(all.next));
    all.queue = std::move(all.queue).push_back(entry_of<TestType>(all.next));
  }
  for (auto& place : places) place.leave(all);
  std::array<bool, 8> all_whole{};
  tact::support::on_threads(threads, [&](unsigned me) {
    dice random(seed + me);
    bool whole = true;
    for (int i = 0; i < scaled(600); ++i) {
      rows mine = places[random.below(3)].look();
      const bool grows = random.below(2) == 0 || mine.queue.size() < 100;
      for (std::uint32_t n = random.below(80); n != 0; --n) {
        if (grows) {
          mine.vector = std::move(mine.vector).push_back(entry_of<TestType>(mine.next));
          mine.queue = std::move(mine.queue).push_back(entry_of<TestType>(mine.next++));
        } else {
          const std::size_t place = random.below(static_cast<std::uint32_t>(mine.vector.size()));
          mine.vector = mine.vector.set(place, entry_of<TestType>(static_cast<int>(place)));
          if (!mine.queue.empty()) mine.queue = std::move(mine.queue).pop_front();
        }
      }
      if (i % 32 == 0) whole = whole && goes_up(mine.vector) && goes_up(mine.queue);
      places[random.below(3)].leave(std::move(mine));
    }
    all_whole[me] = whole;
  });
  for (unsigned i = 0; i < threads; ++i) CHECK(all_whole[i]);
}

namespace {

struct put_number {
  int key;
};
struct all_numbers {
  using reply = tact::map<int, int>;
};
struct numbers : tact::protocol<put_number, tact::request<all_numbers>> {};

tact::behavior<numbers> with_numbers(tact::map<int, int> all) {
  return {
      [=](tact::self<numbers>& self, const put_number& m) { self.become(with_numbers(all.insert(m.key, m.key))); },
      [=](auto& self, const tact::request<all_numbers>& m) { self.reply(m, all); },
  };
}

}  // namespace

TEST_CASE("map: is the state of a transactional actor, and the answer to an ask stays while the actor goes on",
          "[data]") {
  TACT_FOR_EACH_WORKER_COUNT(workers);
  tact::engine e(tact::support::quiet_options(workers));
  const auto a = e.create(with_numbers({}));
  const int count = scaled(3000);
  tact::support::on_threads(4, [&](unsigned me) {
    for (int i = 0; i < count; ++i) e.send(a, put_number{i * 4 + static_cast<int>(me)});
  });
  const auto some = e.ask(a, all_numbers{});
  const std::size_t size = some.size();
  tact::support::require_idle(e);
  const auto all = e.ask(a, all_numbers{});
  CHECK(some.size() == size);
  CHECK(all.size() == static_cast<std::size_t>(count) * 4);
  CHECK(is_whole(all));
  CHECK(is_whole(some));
}

}  // namespace shared_test
