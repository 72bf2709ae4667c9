// The shard word under every kind of schedule, as the offices use it.
#include "schedule/shard_office.hpp"
#include "support/explorer_checks.hpp"

namespace shard_word_test {

namespace {

using namespace tact;
using schedule::bare::one_shard;
using schedule::bare::posted_alone;
using schedule::bare::three_letters;
using schedule::bare::two_shards;
using sync::fault;

}  // namespace

TEST_CASE("shard_word: one holder, order per sender, nothing lost, nobody sleeps through a letter",
          "[mailbox][schedule][law6]") {
  support::require_holds<one_shard>();
}

TEST_CASE("shard_word: order survives a relay between shards that change workers", "[mailbox][schedule][law5]") {
  support::require_holds<two_shards>();
}

TEST_CASE("shard_word: while a thread outside holds a shard to post there no worker takes it up, and all is announced",
          "[mailbox][schedule][law6]") {
  support::require_holds<posted_alone>();
}

TEST_CASE("shard_word: in every schedule with few preemptions there is one holder, and nobody sleeps through a letter",
          "[mailbox][schedule][exhaustive]") {
  TACT_REQUIRE_ALL_HOLD(3, 0, three_letters);
  TACT_REQUIRE_ALL_HOLD(2, 0, one_shard);
  TACT_REQUIRE_ALL_HOLD(2, 0, two_shards);
  TACT_REQUIRE_ALL_HOLD(2, 0, posted_alone);
}

TEST_CASE("shard_word: planted faults are found", "[mailbox][schedule]") {
  TACT_REQUIRE_FOUND(push_hides_busy, one_shard);
  TACT_REQUIRE_FOUND_WITHIN(0, 0, push_hides_busy, one_shard);
  TACT_REQUIRE_FOUND(release_without_recheck, one_shard);
  TACT_REQUIRE_FOUND_WITHIN(1, 0, release_without_recheck, one_shard);
  TACT_REQUIRE_FOUND(release_forgets_rest, one_shard);
  TACT_REQUIRE_FOUND_WITHIN(0, 0, release_forgets_rest, one_shard);
  TACT_REQUIRE_FOUND(announce_always_skipped, one_shard);
  TACT_REQUIRE_FOUND_WITHIN(0, 0, announce_always_skipped, one_shard);
  TACT_REQUIRE_FOUND(held_not_announced, posted_alone);
  TACT_REQUIRE_FOUND_WITHIN(0, 0, held_not_announced, posted_alone);
  TACT_REQUIRE_FOUND(release_before_flush, two_shards);
  TACT_REQUIRE_FOUND_WITHIN(1, 0, release_before_flush, two_shards);
  TACT_REQUIRE_FOUND(foreign_lane, two_shards);
  TACT_REQUIRE_FOUND_WITHIN(1, 0, foreign_lane, two_shards);
}

TEST_CASE("shard_word: a planted fault is told in few switches, with the names of workers, words and letters",
          "[mailbox][schedule]") {
  TACT_SEEDED(seed);
  for (std::uint64_t n = 0; n < 20; ++n) {
    explorer::options o;
    o.seed = seed + 1'000 * n;
    o.fault = fault::release_before_flush;
    const explorer::result r = explorer::explore(o, [] { return std::make_unique<two_shards>(); });
    CAPTURE(n, r.trace);
    REQUIRE(r.text == "a letter overtook an earlier one of its sender");
    REQUIRE(r.simplest.preemptions <= 2);
    REQUIRE(r.simplest.switches <= 6);
    REQUIRE(r.trace.find("  worker 0: ") != std::string::npos);
    REQUIRE(r.trace.find("compare_exchange word of shard 0 0 -> letter") != std::string::npos);
  }
}

}  // namespace shard_word_test
