// Random trees of supervisors with random crashes: every restart and every message is accounted for.
#include <memory>
#include <random>
#include <vector>

#include "patterns/trouble.hpp"
#include "support/restarts.hpp"
#include "tact/patterns/supervisor.hpp"

namespace supervisor_trees_test {

namespace {

using namespace tact::patterns_tests;
using namespace std::chrono_literals;
using tact::restart_strategy;

struct tree {
  std::vector<std::unique_ptr<tact::supervisor>> supervisors;  // outer ones first
  std::vector<tact::ref<fragile_sum>> children;
  std::uint64_t made = 0;     // behaviours, ever
  bool has_parallel = false;  // where one may be made for an actor that ends or goes home meanwhile
};

void grow(tree& t, tact::engine& engine, std::mt19937_64& random, tact::supervisor* around, int depth) {
  constexpr restart_strategy strategies[] = {restart_strategy::one_for_one, restart_strategy::one_for_all,
                                             restart_strategy::rest_for_one};
  tact::supervision o{.strategy = strategies[random() % 3],
                      .restarts = static_cast<unsigned>(random() % 4),
                      .first_delay = std::chrono::microseconds(random() % 2 * 50),
                      .jitter = 0.5,
                      .seed = random()};
  t.supervisors.push_back(around == nullptr ? std::make_unique<tact::supervisor>(engine, o)
                                            : std::make_unique<tact::supervisor>(engine, *around, o));
  tact::supervisor& s = *t.supervisors.back();
  const tact::restarting makes([&t] {
    ++t.made;
    return open_sum();
  });
  for (std::uint64_t n = random() % 4; n-- > 0;) {
    switch (random() % 6) {
      case 0:
        t.children.push_back(s.create(makes, tact::permanent));
        break;
      case 1:
        t.children.push_back(s.create(makes, tact::parallel));
        t.has_parallel = true;
        break;
      case 2:
        t.children.push_back(s.create(makes, tact::temporary));
        break;
      case 3:
        t.children.push_back(s.create(makes, tact::permanent, tact::parallel));
        t.has_parallel = true;
        break;
      case 4:
        if (depth < 3) grow(t, engine, random, &s, depth + 1);
        break;
      default:
        t.children.push_back(s.create(makes));
    }
  }
}

// Whatever fails in a tree, every restart is accounted for, every message too, and nothing is left.
void tree_of(tact::simulation& sim, const trouble& what, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  auto& engine = sim.engine(quiet_options(1 + static_cast<unsigned>(random() % 4)));
  tree t;
  what.begin();
  const bool has_grown = what.tries([&] { grow(t, engine, random, nullptr, 0); });
  const std::uint64_t made_first = t.made;
  for (int thread = 0; thread < 2 && has_grown && !t.children.empty(); ++thread) {
    sim.start_thread([&t, what, seed_of = random()] {
      std::mt19937_64 r(seed_of);
      for (int i = 0; i < 8; ++i) {
        const auto to = t.children[r() % t.children.size()];
        what.tries([&] {
          switch (r() % 5) {
            case 0:
              return static_cast<void>(to | leave{});
            case 1:
            case 2:
              return static_cast<void>(to | trip{});
            default:
              to | add{1};
          }
        });
      }
    });
  }
  sim.run();
  sim.advance(1min);
  const auto now = engine.statistics();
  sim.check(now.in_flight() == 0, "something is in flight");
  sim.check(now.messages_sent == now.commits + now.failures + now.dead_letters, "a message is not accounted for");
  const std::uint64_t made = t.made - made_first;
  sim.check(now.restarts <= made, "a restart has made nothing");
  if (what.is_none() && !t.has_parallel) sim.check(now.restarts == made, "a restart is not accounted for");
  while (!t.supervisors.empty()) t.supervisors.pop_back();  // inner ones first
  sim.run();
  sim.check(engine.statistics().actors_alive == 0, "an actor is left");
  sim.end();
}

}  // namespace

TEST_CASE("supervisor: in random trees every restart and every message is accounted for, whatever fails",
          "[law4][law8]") {
  TACT_SEEDED(seed);
  for (int i = 0; i < scaled(60); ++i) {
    const std::uint64_t of_tree = seed + static_cast<std::uint64_t>(i);
    const auto e = tact::explore(10,
                                 [=](tact::simulation& sim) {
                                   tree_of(sim, {sim, trouble::kind::none, 0}, of_tree);
                                 },
                                 {.seed = seed, .prints = false});
    INFO("tree " << of_tree);
    INFO(e.text());
    REQUIRE(!e.failed);
  }
  require_whatever_fails([=](tact::simulation& sim, const trouble& t) { tree_of(sim, t, seed); }, 100, 2);
}

}  // namespace supervisor_trees_test
