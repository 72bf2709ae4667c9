// What becomes of a schedule that fails: it can be followed, and it is told as simply as possible.
#include "schedule/small_scenarios.hpp"
#include "tools/explorer/chance.hpp"
#include "tools/explorer/follower.hpp"
#include "tools/explorer/scheduler.hpp"

namespace shrinking_test {

namespace {

using namespace tact;
using namespace tact::schedule;

// One schedule of a fresh scenario: its failure, its decisions and its operations.
struct recorded {
  std::string failure;
  explorer::schedule decisions;
  std::string operations;
};

template <class Scenario>
recorded run(explorer::scheduler& s, explorer::chooser& c) {
  Scenario subject;
  recorded r;
  explorer::trace operations;
  const auto done =
      s.run(c, subject.thread_count(), [&](unsigned i) { subject.thread(i); }, {&r.decisions, &operations});
  if (done.failure != nullptr) r.failure = done.failure;
  explorer::names called;
  r.operations = operations.text(called, {"0", "1", "2"});
  return r;
}

// Counts one too few when a compare-and-swap fails for no reason.
struct trusting : two_threads {
  word n;
  void thread(unsigned) override {
    for (int k = 0; k < 4; ++k) {
      const std::uint32_t before = n.load();
      std::uint32_t seen = before;
      if (n.compare_exchange_weak(seen, before + 1)) continue;
      check(n.load() != before, "a compare-and-swap failed although nothing had changed");
      --k;
    }
  }
};

// Two threads that matter, and two that are busy beside them.
struct in_a_crowd : unlocked_count {
  word other;
  unsigned thread_count() const override { return 4; }
  void thread(unsigned i) override {
    for (int k = 0; k < 20; ++k) other.fetch_add(1);
    if (i < 2) unlocked_count::thread(i);
    for (int k = 0; k < 20; ++k) other.fetch_add(1);
  }
};

template <class Scenario>
explorer::result explore_from(std::uint64_t seed, std::uint64_t replays = 2'000) {
  explorer::options o;
  o.seed = seed;
  o.replays = replays;
  if (replays == 0) o.searched = 0;
  o.step_limit = 2'000;
  return explorer::explore(o, [] { return std::make_unique<Scenario>(); });
}

constexpr int hunts = 50;

}  // namespace

TEST_CASE("shrinking: a recorded schedule can be followed, operation by operation", "[explorer]") {
  TACT_SEEDED(seed);
  explorer::scheduler s(2'000);
  explorer::chance dice;
  unsigned surprising = 0;
  for (std::uint64_t n = 0; n < 2'000; ++n) {
    CAPTURE(n);
    dice.set_seed(seed + n);
    const recorded first = run<bustle>(s, dice);
    explorer::follower same(first.decisions.decisions);
    const recorded second = run<bustle>(s, same);
    REQUIRE(second.failure == first.failure);
    REQUIRE(second.decisions.size == first.decisions.size);
    REQUIRE(second.operations == first.operations);
    surprising += first.decisions.size.surprises > 3;
  }
  REQUIRE(surprising > 100);
}

TEST_CASE("shrinking: a lost update is told with one preemption, however it was found", "[explorer]") {
  TACT_SEEDED(seed);
  for (std::uint64_t n = 0; n < hunts; ++n) {
    const explorer::result r = explore_from<in_a_crowd>(seed + 1'000 * n);
    CAPTURE(n, r.trace);
    REQUIRE(r.text == "an increment is lost");
    REQUIRE(r.simplest.preemptions == 1);
    REQUIRE(r.simplest.surprises == 0);
    REQUIRE(r.simplest.switches <= 5);
    REQUIRE(r.simplest.operations <= r.found.operations);
  }
}

TEST_CASE("shrinking: what comes from outside is told only where it matters", "[explorer]") {
  TACT_SEEDED(seed);
  for (std::uint64_t n = 0; n < hunts; ++n) {
    const explorer::result late = explore_from<relaxed_flags>(seed + 1'000 * n);
    CAPTURE(n, late.trace);
    REQUIRE(support::text_of(late.simplest) == "operations 4, switches 1, of them preemptions 0, surprises 1");
    const explorer::result spurious = explore_from<trusting>(seed + 1'000 * n);
    CAPTURE(spurious.trace);
    REQUIRE(spurious.failures == 1);
    REQUIRE(support::text_of(spurious.simplest) == "operations 3, switches 0, of them preemptions 0, surprises 1");
  }
}

TEST_CASE("shrinking: a deadlock stays a deadlock", "[explorer]") {
  TACT_SEEDED(seed);
  for (std::uint64_t n = 0; n < hunts; ++n) {
    const explorer::result r = explore_from<embrace>(seed + 1'000 * n);
    CAPTURE(n, r.trace);
    REQUIRE(r.text.rfind("deadlock", 0) == 0);
    REQUIRE(r.simplest.preemptions == 1);
    REQUIRE(r.simplest.switches == 2);
  }
}

TEST_CASE("shrinking: takes no more replays than it may", "[explorer]") {
  TACT_SEEDED(seed);
  const explorer::result r = explore_from<in_a_crowd>(seed, 0);
  REQUIRE(r.failures == 1);
  REQUIRE(r.simplest == r.found);
  REQUIRE_FALSE(r.trace.empty());
}

}  // namespace shrinking_test
