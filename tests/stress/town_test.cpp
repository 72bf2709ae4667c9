// All laws at once, with actors of all kinds whose shards are stolen, on more workers than there are processing units.
#include "stress/town.hpp"

namespace town_test {

namespace {

using namespace tact::stress;

struct named_policy {
  const char* name;
  tact::victim_policy victims;
};

std::vector<named_policy> policies() {
  const tact::victim_policy next = [](const tact::steal_view& seen) {
    return std::optional(static_cast<unsigned>((seen.thief + 1) % seen.stamps.size()));
  };
  return {{"longest", &tact::longest_victim},
          {"random", &tact::random_victim},
          {"nearest", &tact::nearest_victim},
          {"none", tact::no_victim},
          {"own", next}};
}

tact::engine_options town_options(unsigned workers, tact::victim_policy victims) {
  auto o = quiet_options(workers);
  o.victims = std::move(victims);
  return o;
}

// Bursts, some of them before the last one is done: at least `least` of them, and until `enough`.
template <class Enough>
void live(tact::engine& engine, town& t, dice& d, int least, Enough enough) {
  const auto end = std::chrono::steady_clock::now() + generous;
  for (int n = 0; n < least || (!enough() && std::chrono::steady_clock::now() < end); ++n) {
    t.live(d.next());
    if (d.below(3) != 0) continue;
    require_idle(engine);
    t.bury();
  }
  require_idle(engine);
}

}  // namespace

TEST_CASE("town: all laws hold at once while the work of one worker moves to others", "[law1][law4][law5][law6]") {
  TACT_SEEDED(seed);
  TACT_FOR_EACH_THREAD_COUNT(workers);
  for (const auto& [name, victims] : policies()) {
    INFO("victims=" << name);
    const nothing_left left;
    dice d(seed);
    tact::engine engine(town_options(workers, victims));
    town t(engine);
    const bool moves = workers != 1 && victims != nullptr;
    live(engine, t, d, scaled(100), [&, moves] { return !moves || engine.statistics().messages_stolen != 0; });
    t.check();
    CHECK((engine.statistics().shards_stolen != 0) == moves);
  }
}

TEST_CASE("town: several engines that steal at the same time keep all laws, each its own", "[law1][law4][law5][law6]") {
  TACT_SEEDED(seed);
  TACT_FOR_EACH_WORKER_COUNT(workers);
  const nothing_left left;
  const auto all = policies();
  const auto count = static_cast<unsigned>(all.size());
  std::vector<std::unique_ptr<tact::engine>> engines;
  std::vector<std::unique_ptr<town>> towns;
  for (unsigned i = 0; i < count; ++i) {
    engines.push_back(std::make_unique<tact::engine>(town_options(workers, all[i].victims)));
    towns.push_back(std::make_unique<town>(*engines[i]));
  }
  const int bursts = scaled(40);
  on_threads(count, [&](unsigned i) {
    for (int n = 0; n < bursts; ++n) towns[i]->live(seed + i + static_cast<unsigned>(n) * count);
  });
  for (unsigned i = 0; i < count; ++i) {
    INFO("victims=" << all[i].name);
    require_idle(*engines[i]);
    towns[i]->check();
  }
}

}  // namespace town_test
