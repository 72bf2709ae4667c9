// Where shards come to when fewer or more workers share them, with nothing beside the mover.
#include "dispatch/exchange/shard_mover.hpp"

#include <cstdint>
#include <deque>
#include <optional>
#include <set>
#include <vector>

#include "support/catch.hpp"
#include "support/dice.hpp"
#include "support/seed.hpp"
#include "sync/policy.hpp"

namespace shard_mover_test {

namespace {

using tact::sync::real;

struct numbered_shard {
  struct {
    bool has_messages = false;
    bool eligible() const { return has_messages; }
    bool try_hold() { return true; }
  } word;
  real::atomic<std::uint32_t> owner{0};
  unsigned number = 0;
};

// All workers begin with the shards whose numbers leave their own number when divided by the number of workers.
struct fixture {
  fixture(unsigned workers, unsigned count) : shards(count), table(workers, count) {
    for (unsigned i = 0; i < count; ++i) {
      shards[i].number = i;
      table.deal(i, shards[i]);
    }
  }

  template <class HomeOf>
  void level(unsigned running, HomeOf home_of) {
    told.clear();
    mover.level(running, home_of, [this](unsigned worker) { told.insert(worker); });
    check(running);
  }
  // Each shard is in one slot, of the worker that it says it belongs to; and each worker has its share.
  void check(unsigned running) {
    std::vector<unsigned> found(shards.size());
    for (unsigned w = 0; w < table.worker_count(); ++w) {
      REQUIRE(table.of(w).size() == table.share_of(w, running));
      for (std::size_t i = 0; i < table.of(w).size(); ++i) {
        const numbered_shard* s = table.of(w)[i].load();
        REQUIRE(s != nullptr);
        REQUIRE_FALSE(mover.is_vacant(s));
        REQUIRE(s->owner.load() == w);
        ++found[s->number];
      }
    }
    for (const unsigned times : found) REQUIRE(times == 1);
  }
  template <class HomeOf>
  [[nodiscard]] unsigned count_away(HomeOf home_of) const {
    unsigned away = 0;
    for (const auto& s : shards) away += home_of(s) != s.owner.load();
    return away;
  }

  std::deque<numbered_shard> shards;  // they cannot be moved
  tact::dispatch::shard_table<real, numbered_shard> table;
  tact::dispatch::shard_mover<real, numbered_shard> mover{table};
  std::set<unsigned> told;
};

// The homes of an engine in which so many workers run.
auto homes_among(unsigned running) {
  return [running](const numbered_shard& s) { return std::optional<unsigned>(s.number % running); };
}

}  // namespace

TEST_CASE("shard mover: when workers that rested run again every shard is at home again", "[dispatch]") {
  for (const unsigned workers : {2u, 3u, 4u, 7u, 8u}) {
    for (const unsigned shards : {workers, 2 * workers + 1, 16 * workers}) {
      for (unsigned fewer = 1; fewer < workers; ++fewer) {
        INFO("workers=" << workers << " shards=" << shards << " fewer=" << fewer);
        fixture f(workers, shards);
        const auto home = homes_among(workers);
        REQUIRE(f.count_away(home) == 0);
        f.level(fewer, home);
        REQUIRE(f.count_away(home) != 0);
        f.level(workers, home);
        REQUIRE(f.count_away(home) == 0);
      }
    }
  }
}

TEST_CASE("shard mover: where homes change with the number of workers each shard goes to its new one", "[dispatch]") {
  fixture f(8, 64);
  for (const unsigned running : {4u, 2u, 4u, 1u, 8u, 2u, 8u, 4u}) {
    INFO("running=" << running);
    f.level(running, homes_among(running));
    CHECK(f.count_away(homes_among(running)) == 0);
  }
}

TEST_CASE("shard mover: a worker gives away what is at home elsewhere, and keeps its own", "[dispatch]") {
  fixture f(4, 16);
  // Of the 16 shards that worker 0 gets, 12 are at home with it.
  const auto home = [](const numbered_shard& s) { return std::optional<unsigned>(s.number % 4 == 3 ? 3U : 0U); };
  f.level(1, home);
  f.level(2, home);
  unsigned own = 0;
  for (std::size_t i = 0; i < f.table.of(0).size(); ++i) own += home(*f.table.of(0)[i].load()) == 0U;
  CHECK(own == 8);
}

TEST_CASE("shard mover: a shard whose home is full or rests goes where there is room", "[dispatch]") {
  fixture f(4, 18);
  const auto all_with_2 = [](const numbered_shard&) { return std::optional<unsigned>(2); };
  f.level(2, all_with_2);  // which rests
  CHECK(f.count_away(all_with_2) == 18);
  f.level(4, all_with_2);
  CHECK(f.count_away(all_with_2) == 18 - f.table.share_of(2, 4));
}

TEST_CASE("shard mover: whatever the homes, every worker that runs has its share, and no shard is lost", "[dispatch]") {
  TACT_SEEDED(seed);
  tact::support::dice d(seed);
  for (int round = 0; round < 200; ++round) {
    const unsigned workers = 1 + d.below(9);
    fixture f(workers, workers + d.below(40));
    std::vector<std::optional<unsigned>> homes(f.shards.size());
    for (auto& home : homes) home = d.one_in(4) ? std::nullopt : std::optional<unsigned>(d.below(workers));
    for (int change = 0; change < 10; ++change) {
      f.level(1 + d.below(workers), [&](const numbered_shard& s) { return homes[s.number]; });
    }
  }
}

TEST_CASE("shard mover: a worker that gets a shard with messages is told, and no worker for nothing", "[dispatch]") {
  fixture f(4, 16);
  f.level(2, homes_among(2));
  CHECK(f.told.empty());
  f.shards[7].word.has_messages = true;  // its homes: worker 3 of four, worker 1 of two
  f.level(4, homes_among(4));
  CHECK(f.told == std::set<unsigned>{3});
  f.level(2, homes_among(2));
  CHECK(f.told == std::set<unsigned>{1});
}

}  // namespace shard_mover_test
