// Threads of a simulated program that sleep in virtual time.
#include <chrono>
#include <limits>
#include <ratio>
#include <string>
#include <thread>
#include <vector>

#include "simulation/office.hpp"

namespace {

using namespace tact::simulated_tests;
using namespace std::chrono_literals;
using Catch::Matchers::Contains;

TEST_CASE("sleep: a thread goes on when so much virtual time has passed, under every seed", "[simulation]") {
  TACT_SEEDED(seed);
  for (std::uint64_t s = seed; s < seed + 30; ++s) {
    INFO("seed=" << s);
    tact::simulation sim(s);
    auto& engine = sim.engine();
    const auto a = engine.create(open_account(0));
    std::vector<std::chrono::nanoseconds> woken;
    for (const auto pause : {30ms, 10ms, 20ms}) {
      sim.start_thread([&sim, &engine, &woken, a, pause] {
        for (int i = 0; i < 3; ++i) {
          sim.sleep_for(pause);
          engine.send(a, deposit{1});
        }
        woken.push_back(sim.now());
      });
    }
    sim.run();
    CHECK(woken.empty());  // time stands still
    sim.advance(29ms);
    CHECK(engine.ask(a, balance{}) == 3);  // at 10, 20 and 20
    sim.sleep_for(1h);                     // the program sleeps, too
    CHECK(woken == std::vector<std::chrono::nanoseconds>{30ms, 60ms, 90ms});
    CHECK(sim.now() >= 1h);
    CHECK(engine.ask(a, balance{}) == 9);
  }
}

TEST_CASE("sleep: a time that is not positive is over at once, and lets others go first", "[simulation]") {
  tact::simulation sim(1);
  int turns = 0;
  sim.start_thread([&] {
    for (; turns < 3; ++turns) sim.sleep_for(-1s);
  });
  for (int i = 0; i < 1'000 && turns < 3; ++i) sim.sleep_for(0ns);
  CHECK(turns == 3);
  CHECK(sim.now() == 0ns);
}

TEST_CASE("sleep: what the clock cannot say is for ever, and a program that nothing can wake hears so",
          "[simulation]") {
  using years = std::chrono::duration<double, std::ratio<31'556'952>>;
  const auto sleeps_for_ever = [](auto time) {
    tact::simulation sim(1);
    CHECK_THROWS_WITH(sim.sleep_for(time), Contains("simulation::sleep_for") && Contains("deadlock"));
    CHECK_THAT(sim.failure(), Contains("deadlock"));
  };
  sleeps_for_ever(std::chrono::nanoseconds::max());
  sleeps_for_ever(std::chrono::hours::max());
  sleeps_for_ever(years(std::numeric_limits<double>::infinity()));
  tact::simulation sim(1);
  sim.advance(1h);
  sim.start_thread([&] { sim.sleep_for(years(1e30)); });  // is given up where it stands
  sim.advance(24h);
  CHECK(sim.failure().empty());
}

TEST_CASE("sleep: a handler, and a thread that is not simulated, are told what to do", "[simulation]") {
  tact::simulation sim(1);
  std::string of_handler;
  const auto sleeper = sim.engine().create(tact::behavior<deposit>([&](auto&, const deposit&) {
    try {
      sim.sleep_for(1s);
    } catch (const tact::usage_error& e) {
      of_handler = e.what();
    }
  }));
  sim.engine().send(sleeper, deposit{1});
  sim.run();
  CHECK_THAT(of_handler, Contains("simulation::sleep_for") && Contains("self.send_after"));
  std::string of_thread;
  std::thread stranger([&] {
    try {
      sim.sleep_for(1s);
    } catch (const tact::usage_error& e) {
      of_thread = e.what();
    }
  });
  stranger.join();
  CHECK_THAT(of_thread, Contains("simulation::sleep_for") && Contains("start_thread"));
}

}  // namespace
