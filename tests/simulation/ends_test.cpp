// Engines that are destroyed on their own threads, in simulations: they end in every order.
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "simulation/office.hpp"
#include "support/coroutine.hpp"
#include "support/death.hpp"

namespace ends_test {

namespace {

using namespace tact::simulated_tests;

struct note {};
struct drop {};
struct worker : tact::protocol<note, drop> {};

// Calls at_end where one is destroyed, until that returns true; not in the middle of such a call.
struct question {
  using reply = long;
  question() = default;
  question(const question&) = default;
  question& operator=(const question&) = default;
  ~question() {
    if (at_end == nullptr) return;
    const auto call = std::exchange(at_end, nullptr);
    if (!call()) at_end = call;
  }
  static inline std::function<bool()> at_end{};
};
struct oracle : tact::protocol<tact::request<question>> {};

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
      const auto a = engine.create(open_worker(last, handled));
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
    const auto a = first->create(open_worker(second, handled));
    const auto b = second->create(open_worker(first, handled), tact::parallel);
    sim.start_thread([a] { a | drop{}; });
    sim.start_thread([b] { b | drop{}; });
    sim.run();
    first.reset();  // it is still there when the word for the other one came too late
    second.reset();
    sim.end();
    sim.check(tracked::alive == 0, "something of an engine is left");
  });
}

TEST_CASE("ends: an engine that is dropped behind the answer stays until the thread that asked has left it",
          "[law11]") {
  require_in_every_order(200, [](tact::simulation& sim) {
    std::weak_ptr<int> engine_data;  // of the options, which are freed with the engine
    auto last = [&] {
      auto options = quiet_options(2);
      const auto data = std::make_shared<int>();
      engine_data = data;
      options.on_dead_letter = [data](const tact::dead_letter&) {};
      return std::make_shared<tact::engine>(options);
    }();
    const auto wise =
        last->create(tact::behavior<oracle>{[](auto& self, const tact::request<question>& m) { self.reply(m, 42L); }});
    bool stayed = false;
    question::at_end = [&] {
      // The thread that asks is still in ask_async. Meanwhile the others come as far as they can.
      for (int n = 0; n < 3000 && sim.step(); ++n) {
      }
      if (last == nullptr) stayed = !engine_data.expired();
      return last == nullptr;
    };
    [](tact::engine& of, tact::ref<oracle> to, std::shared_ptr<tact::engine>& kept) -> tact::support::coroutine {
      static_cast<void>(co_await of.ask_async(to, question{}));
      std::exchange(kept, nullptr).reset();
    }(*last, wise, last);
    question::at_end = nullptr;
    sim.check(stayed, "the engine has gone while a thread was in it");
    sim.run();
    sim.end();
    sim.check(engine_data.expired(), "something of an engine is left");
  });
}

TEST_CASE("ends: a simulation that is ended by one of its handlers ends the process with a sentence") {
  CHECK(last_words([] {
          auto sim = std::make_unique<tact::simulation>(1);
          int handled = 0;
          std::shared_ptr<tact::engine> none;
          const auto a = sim->engine().create(open_worker(none, handled), tact::parallel);
          const auto ends =
              sim->engine().create(tact::behavior<note>{[&](auto&, const note&) { sim.reset(); }}, tact::parallel);
          a | note{};
          ends | note{};
          sim->run();
        }).find("a simulation is ended on one of the threads that it simulates") != std::string::npos);
}

}  // namespace ends_test
