// The set of sleeping workers against a naive model.
#include "dispatch/exchange/idle_set.hpp"

#include <algorithm>
#include <optional>
#include <vector>

#include "support/catch.hpp"
#include "support/dice.hpp"
#include "support/seed.hpp"

namespace idle_set_test {

namespace {

std::optional<unsigned> naive_next(const std::vector<bool>& sleeps, unsigned from) {
  const auto n = static_cast<unsigned>(sleeps.size());
  for (unsigned i = 1; i <= n; ++i) {
    if (sleeps[(from + i) % n]) return (from + i) % n;
  }
  return {};
}

}  // namespace

TEST_CASE("idle set: the next sleeper after a worker is that of a naive model, for every number of workers",
          "[dispatch]") {
  TACT_SEEDED(seed);
  tact::support::dice d(seed);
  for (const unsigned workers : {1u, 2u, 3u, 63u, 64u, 65u, 127u, 128u, 129u, 200u}) {
    INFO("workers=" << workers);
    tact::dispatch::idle_set set(workers);
    std::vector<bool> sleeps(workers, true);
    for (int step = 0; step < 2'000; ++step) {
      const unsigned w = d.below(workers);
      if (step % 50 < 10 || d.below(2) == 0) {
        sleeps[w] ? set.remove(w) : set.add(w);
        sleeps[w] = !sleeps[w];
      }
      const unsigned from = d.below(workers);
      INFO("from=" << from);
      REQUIRE(set.any() == (std::find(sleeps.begin(), sleeps.end(), true) != sleeps.end()));
      REQUIRE(set.count() == static_cast<unsigned>(std::count(sleeps.begin(), sleeps.end(), true)));
      // No worker is written as the number of workers, so that a failure shows both.
      REQUIRE(set.next_after(from).value_or(workers) == naive_next(sleeps, from).value_or(workers));
    }
  }
}

TEST_CASE("idle set: all are idle until one is not, whichever that is, and again when it comes back", "[dispatch]") {
  for (const unsigned workers : {1u, 63u, 64u, 65u, 130u}) {
    INFO("workers=" << workers);
    tact::dispatch::idle_set set(workers);
    REQUIRE(set.are_all(workers));
    for (unsigned w = 0; w < workers; ++w) {
      INFO("busy=" << w);
      set.remove(w);
      REQUIRE_FALSE(set.are_all(workers));
      set.add(w);
      REQUIRE(set.are_all(workers));
    }
  }
}

TEST_CASE("idle set: whether the first workers are all idle does not depend on those behind them", "[dispatch]") {
  for (const unsigned workers : {1u, 63u, 64u, 65u, 130u}) {
    INFO("workers=" << workers);
    tact::dispatch::idle_set set(workers);
    for (unsigned busy = workers; busy-- != 0;) {
      set.remove(busy);  // from here on all are busy
      for (unsigned first = 0; first <= workers; ++first) {
        INFO("busy=" << busy << " first=" << first);
        REQUIRE(set.are_all(first) == (first <= busy));
      }
    }
  }
}

}  // namespace idle_set_test
