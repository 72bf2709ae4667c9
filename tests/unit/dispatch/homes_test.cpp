// Which shards actors get as their homes.
#include <set>
#include <string>

#include "dispatch/dispatcher.hpp"
#include "support/catch.hpp"
#include "support/workers.hpp"

namespace {

using namespace tact;

struct silent_runner : dispatch::runner {
  void run_lane(mailbox::shard&) override {}
  void publish_counters(bool) noexcept override {}
  void on_start() noexcept override {}
  void trim() noexcept override {}
};

}  // namespace

TEST_CASE("homes: ordinary placement never picks a shard that is kept for heavy or blocking actors", "[dispatch]") {
  const unsigned workers = GENERATE(from_range(support::worker_counts.begin(), support::worker_counts.end()));
  const unsigned more = GENERATE(0u, 1u, 100u);
  const unsigned shards = workers + more;
  dispatch::dispatcher d({workers, shards, 3, 5});
  CHECK(d.shards().size() == shards + 8);
  std::set<std::uint32_t> by_children, outside, round;
  for (const auto& w : d.workers()) {
    for (unsigned i = 0; i < 2 * shards; ++i) {
      const std::uint32_t home = w->next_shard();
      CHECK(home % workers == w->index());
      by_children.insert(home);
    }
  }
  for (unsigned i = 0; i < 4 * shards; ++i) {
    outside.insert(d.next_shard_outside());
    round.insert(d.next_shard_round());
  }
  for (const auto& found : {by_children, outside, round}) CHECK(*found.rbegin() < shards);
  CHECK(by_children.size() == shards);
  CHECK(round.size() == shards);
}

TEST_CASE("homes: heavy actors get the kept shards, each once, until those are used up", "[dispatch]") {
  dispatch::dispatcher d({2, 4, 3, 0});
  std::set<std::uint32_t> taken;
  for (int i = 0; i < 3; ++i) taken.insert(d.take_heavy().value());
  CHECK(taken == std::set<std::uint32_t>{4, 5, 6});
  CHECK_FALSE(d.take_heavy());
  d.home_is_left(5);
  d.home_is_left(1);  // an ordinary one: nothing to do
  CHECK(d.take_heavy() == 5u);
  CHECK_FALSE(d.take_heavy());
  d.home_is_unused(6);
  CHECK(d.take_heavy() == 6u);
}

TEST_CASE("homes: as many blocking actors as allowed, and the first free place again", "[dispatch]") {
  dispatch::dispatcher d({2, 4, 1, 2});
  d.start([](dispatch::desk&) { return std::make_unique<silent_runner>(); });
  CHECK(d.take_blocking() == 5u);
  CHECK(d.take_blocking() == 6u);
  CHECK_FALSE(d.take_blocking());
  d.home_is_unused(5);
  CHECK(d.take_blocking() == 5u);
  unsigned made = 0;
  d.for_each_blocking([&](const dispatch::blocking_thread& t) { CHECK(t.index() == 2 + made++); });
  CHECK(made == 2);
  d.stop();
  REQUIRE(d.wait_stopped({}));
  d.join();
}
