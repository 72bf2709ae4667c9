// How shards that were stolen come home.
#include "dispatch/workers/home_shards.hpp"

#include <memory>

#include "dispatch/dispatcher.hpp"
#include "support/catch.hpp"
#include "support/silent_runner.hpp"
#include "topology/plan.hpp"

namespace thief_test {

namespace {

using namespace tact;

// Two workers, neither of which is idle, with a shard of the other one each.
struct scattered : dispatch::dispatcher {
  static constexpr std::uint32_t shards = 8;

  scattered() : dispatch::dispatcher(topology::plan(2), {shards, 1}, &longest_victim) {
    for (const unsigned w : {0U, 1U}) waker().idle().remove(w);
    REQUIRE(swap(0, 1));
  }
  // Gives a shard of worker 0 for one of worker 1.
  [[nodiscard]] bool swap(std::uint32_t given, std::uint32_t wanted) {
    return stealing().table().exchange(0, mail().shard_at(given), mail().shard_at(wanted), [](unsigned) {});
  }
  [[nodiscard]] unsigned count_lost() {
    unsigned lost = 0;
    for (std::uint32_t s = 0; s < shards; ++s) lost += mail().shard_at(s).owner.load() == s % 2 ? 0U : 1U;
    return lost;
  }
};

}  // namespace

TEST_CASE("thief: while both have something to do, all shards that two workers have of each other come home",
          "[dispatch]") {
  scattered d;
  REQUIRE(d.swap(2, 3));
  REQUIRE(d.count_lost() == 4);
  dispatch::home_shards<dispatch::dispatcher, mailbox::shard> home(d, 0);
  dispatch::theft_counters counted;
  CHECK(home.bring_all_home(counted));
  CHECK(d.count_lost() == 0);
  CHECK(counted.shards_returned.read() == 2);
  CHECK(!home.bring_all_home(counted));
}

TEST_CASE("thief: a worker that has nothing to do keeps what it has stolen from one that has", "[dispatch]") {
  scattered d;
  d.waker().idle().add(1);
  dispatch::home_shards<dispatch::dispatcher, mailbox::shard> home(d, 0);
  dispatch::theft_counters counted;
  CHECK(!home.bring_all_home(counted));
  CHECK(d.count_lost() == 2);
}

}  // namespace thief_test
