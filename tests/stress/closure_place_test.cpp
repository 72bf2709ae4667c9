// Where closures lie: near those of other actors that live with the same worker.
#include <algorithm>
#include <functional>
#include <numeric>
#include <thread>

#include "base/blocks.hpp"
#include "support/engine_fixture.hpp"

namespace closure_place_test {

namespace {

using namespace tact::support;

struct look {
  std::uint32_t number;
};
struct member : tact::protocol<look> {};

constexpr std::uint32_t members = 1000;

// Notes where its captures are, and on which thread it runs.
struct notes {
  std::vector<const void*> place = std::vector<const void*>(members);
  std::vector<std::thread::id> thread = std::vector<std::thread::id>(members);

  tact::behavior<member> open() {
    return [this, is_here = std::uint64_t{1}](tact::self<member>&, const look& m) {
      place[m.number] = &is_here;
      thread[m.number] = std::this_thread::get_id();
    };
  }
  // Of the pairs of neighbours in memory, so many of a thousand live with one worker. Closures of two workers that are
  // mixed: 500.
  [[nodiscard]] unsigned together() const {
    std::vector<std::uint32_t> order(members);
    std::iota(order.begin(), order.end(), 0U);
    std::sort(order.begin(), order.end(), [&](auto a, auto b) { return std::less<>()(place[a], place[b]); });
    unsigned same = 0;
    for (std::uint32_t i = 1; i < members; ++i) same += thread[order[i]] == thread[order[i - 1]] ? 1U : 0U;
    return same * 1000 / (members - 1);
  }
};

// Two workers, none of which steals or rests: so an actor runs where it lives.
tact::engine_options two_workers() {
  auto options = quiet_options(2);
  options.shards = 16;
  options.victims = tact::no_victim;
  options.workers_rest = false;
  return options;
}

}  // namespace

TEST_CASE("closure place: those that a thread outside makes lie apart by worker", "[placement]") {
  if (!tact::base::pooling) TACT_SKIP("blocks come from malloc in this build, so that a sanitizer sees their use");
  // What other tests have freed lies in the order in which it was freed.
  tact::base::trim_blocks();
  while (tact::base::trim_shared_blocks()) {
  }
  notes seen;
  tact::engine engine(two_workers());
  std::vector<tact::ref<member>> all;
  for (std::uint32_t i = 0; i < members; ++i) all.push_back(engine.create(seen.open()));
  for (std::uint32_t i = 0; i < members; ++i) engine.send(all[i], look{i});
  require_idle(engine);
  CHECK(seen.together() >= 800);
}

}  // namespace closure_place_test
