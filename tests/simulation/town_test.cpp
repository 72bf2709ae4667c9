// All laws at once, in many seeded executions.
#include "stress/town.hpp"
#include "simulation/office.hpp"

namespace town_test {

namespace {

// Three generations, the second of which is buried; then the laws are looked at.
void let_live(tact::stress::town& t, tact::engine& engine, std::uint64_t seed) {
  for (std::uint64_t n = 0; n < 3; ++n) {
    t.live(seed + n);
    if (n == 1) {
      tact::support::require_idle(engine);
      t.bury();
    }
  }
  tact::support::require_idle(engine);
  t.check();
}

}  // namespace

TEST_CASE("simulation: a town keeps all laws under every seed", "[law1][law4][law5][law6][law12]") {
  using namespace tact::stress;
  TACT_SEEDED(seed);
  const int seeds = scaled(200);
  for (std::uint64_t s = seed; s < seed + static_cast<std::uint64_t>(seeds); ++s) {
    INFO("seed=" << s);
    const nothing_left left;
    tact::simulation sim(s);
    auto& engine = sim.engine(quiet_options(1 + static_cast<unsigned>(s % 5)));
    town t(engine, [&](unsigned count, const std::function<void(unsigned)>& f) {
      for (unsigned i = 0; i < count; ++i) sim.start_thread([&f, i] { f(i); });
      sim.run();
    });
    let_live(t, engine, s);
  }
}

TEST_CASE("simulation: a town keeps all laws while workers come and go", "[law1][law4][law5][law6][workers]") {
  using namespace tact::stress;
  TACT_SEEDED(seed);
  const int seeds = scaled(60);
  for (std::uint64_t s = seed; s < seed + static_cast<std::uint64_t>(seeds); ++s) {
    INFO("seed=" << s);
    const nothing_left left;
    tact::simulation sim(s);
    auto options = quiet_options(1 + static_cast<unsigned>(s % 4));
    options.workers_max = 4;
    auto& engine = sim.engine(options);
    dice d(s);
    unsigned wrong = 0;
    town t(engine, [&](unsigned count, const std::function<void(unsigned)>& f) {
      for (unsigned i = 0; i < count; ++i) sim.start_thread([&f, i] { f(i); });
      for (unsigned i = 0; i < 2; ++i) {
        sim.start_thread([&] {
          for (int n = 0; n < 4; ++n) engine.set_workers(1 + d.below(4));
        });
      }
      sim.run();
      wrong += engine.workers() < 1 || engine.workers() > 4 ? 1U : 0U;
    });
    let_live(t, engine, s);
    REQUIRE(wrong == 0);
  }
}

TEST_CASE("simulation: a town without workers keeps all laws, whoever pumps", "[law1][law4][law5][law6][pump]") {
  using namespace tact::stress;
  TACT_SEEDED(seed);
  const int seeds = scaled(60);
  for (std::uint64_t s = seed; s < seed + static_cast<std::uint64_t>(seeds); ++s) {
    INFO("seed=" << s);
    const nothing_left left;
    tact::simulation sim(s);
    auto options = quiet_options(0);
    options.shards = static_cast<unsigned>(s % 3);
    unsigned calls = 0;
    options.on_wake = [&] { ++calls; };
    auto& engine = sim.engine(options);
    const auto pump = [&](std::size_t most) {
      try {
        return engine.pump(most).more;
      } catch (const tact::usage_error&) {
        return false;  // another thread does
      }
    };
    town t(engine, [&](unsigned count, const std::function<void(unsigned)>& f) {
      for (unsigned i = 0; i < count; ++i) {
        sim.start_thread([&f, &pump, i] {
          f(i);
          for (int n = 0; n < 10; ++n) static_cast<void>(pump(1 + i * 3));
        });
      }
      sim.run();
      while (pump(7)) {
      }
    });
    let_live(t, engine, s);
    REQUIRE(calls > 0);
  }
}

}  // namespace town_test
