// Engines that are destroyed on their own threads, in simulations: they end in every order.
#include <memory>
#include <utility>
#include <vector>

#include "simulation/office.hpp"
#include "support/death.hpp"

namespace ends_test {

namespace {

using namespace tact::simulated_tests;

struct note {};
struct drop {};
struct worker : tact::protocol<note, drop> {};

// Drops what is kept for it, with other work before it and behind it.
tact::behavior<worker> open_worker(std::shared_ptr<tact::engine>& last, int& handled, tracked kept = {}) {
  return {[&handled, kept](auto&, const note&) { ++handled; },
          [&last, kept](tact::self<worker>& self, const drop&) {
            self.send(self.ref(), note{});
            std::exchange(last, nullptr).reset();
          }};
}

}  // namespace

TEST_CASE("ends: in simulations an engine that is dropped inside ends, whatever the schedule", "[law11]") {
  require_in_every_order(500, [](tact::simulation& sim) {
    for (const unsigned workers : {0u, 1u, 3u}) {
      int handled = 0;
      auto options = quiet_options(workers);
      options.on_dropped = [](const std::vector<tact::dropped_messages>&) {};  // of one without workers
      auto last = std::make_shared<tact::engine>(options);
      tact::engine& engine = *last;
      const auto a = engine.create(open_worker(last, handled), tact::ordered);
      const auto slow = engine.create(open_worker(last, handled), tact::blocking);
      a | note{};
      slow | note{};
      a | drop{};
      if (workers == 0) static_cast<void>(engine.pump());
      sim.run();
    }
    sim.end();
    sim.check(tracked::alive == 0, "something of an engine is left");
  });
}

TEST_CASE("ends: in simulations two engines that destroy each other both end, whatever the schedule", "[law11]") {
  require_in_every_order(500, [](tact::simulation& sim) {
    int handled = 0;
    auto first = std::make_shared<tact::engine>(quiet_options(2));
    auto second = std::make_shared<tact::engine>(quiet_options(2));
    const auto a = first->create(open_worker(second, handled), tact::ordered);
    const auto b = second->create(open_worker(first, handled));
    sim.start_thread([a] { a | drop{}; });
    sim.start_thread([b] { b | drop{}; });
    sim.run();
    first.reset();  // it is still there when the word for the other one came too late
    second.reset();
    sim.end();
    sim.check(tracked::alive == 0, "something of an engine is left");
  });
}

TEST_CASE("ends: a simulation that is ended by one of its handlers ends the process with a sentence") {
  CHECK(last_words([] {
          auto sim = std::make_unique<tact::simulation>(1);
          int handled = 0;
          std::shared_ptr<tact::engine> none;
          const auto a = sim->engine().create(open_worker(none, handled));
          const auto ends = sim->engine().create(tact::behavior<note>{[&](auto&, const note&) { sim.reset(); }});
          a | note{};
          ends | note{};
          sim->run();
        }).find("a simulation is ended on one of the threads that it simulates") != std::string::npos);
}

}  // namespace ends_test
