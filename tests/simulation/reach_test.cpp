// What a simulation leads to: without it the other tests would say little.
#include "simulation/office.hpp"

namespace reach_test {

using namespace tact::simulated_tests;

TEST_CASE("simulation: seeds lead to collisions, messages sent home, thefts and adoptions", "[simulation]") {
  TACT_SEEDED(seed);
  tact::statistics all;
  std::uint64_t threads = 0;
  for (std::uint64_t s = seed; s < seed + 200; ++s) {
    tact::simulation sim(s);
    auto& engine = sim.engine();
    const auto a = engine.create(open_account(0), tact::parallel);
    std::vector<tact::ref<archive>> archives;
    for (int i = 0; i < 8; ++i) archives.push_back(engine.spawn<archive>());
    const auto relay = engine.spawn<archive>(tact::blocking);
    for (int i = 0; i < 40; ++i) {
      engine.send(a, deposit{1}, tact::spread);
      engine.send(archives[static_cast<unsigned>(i) % archives.size()], line{i});
      engine.send(relay, line{i});
    }
    CHECK(work(engine, 5) == 5);
    CHECK(engine.ask(a, balance{}) == 40);
    const tact::statistics now = engine.statistics();
    all += now;
    for (const auto& w : engine.worker_statistics()) threads += w.commits != 0;
  }
  INFO(all);
  CHECK(all.collisions != 0);
  CHECK(all.forwarded != 0);
  CHECK(all.steal_attempts != 0);
  CHECK(all.shards_stolen != 0);
  CHECK(all.adoptions != 0);
  CHECK(threads > 2 * 200);  // mostly several workers had a part
}

}  // namespace reach_test
