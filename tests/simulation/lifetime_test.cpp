// Scopes, owners, monitors, names and failure rules in simulations: what they promise holds in every order.
#include <optional>
#include <string>

#include "simulation/office.hpp"

namespace lifetime_test {

namespace {

using namespace tact::simulated_tests;
using namespace std::chrono_literals;
using tact::end_reason;

struct note {};
struct stop {};
struct trip {};
struct look {
  using reply = int;
};
struct worker : tact::protocol<note, stop, trip> {};

// Counts its runs. One that changes becomes each time, so that they collide.
tact::behavior<worker> open_worker(int& handled, bool changes = false, tracked kept = {}) {
  return {[&handled, changes, kept](tact::self<worker>& self, const note&) {
            ++handled;
            if (changes) self.become(open_worker(handled, changes, kept));
          },
          [](tact::self<worker>& self, const stop&) { self.stop(); },
          [](auto&, const trip&) { throw std::runtime_error("tripped"); }};
}

class classic_worker : public tact::actor<classic_worker, worker> {
 public:
  explicit classic_worker(int& handled) : handled_(&handled) {}
  void receive(tact::self<classic_worker>&, const note&) { ++*handled_; }
  void receive(tact::self<classic_worker>& self, const stop&) { self.stop(); }
  void receive(tact::self<classic_worker>&, const trip&) { throw std::runtime_error("tripped"); }

 private:
  int* handled_;
  tracked kept_;
};

std::vector<tact::ref<worker>> one_of_each(tact::scope& group, int& handled) {
  return {group.create(open_worker(handled), tact::parallel), group.create(open_worker(handled)),
          group.create(open_worker(handled), tact::heavy), group.create(open_worker(handled), tact::blocking),
          group.spawn<classic_worker>(handled)};
}

void check_accounted(tact::simulation& sim) {
  const tact::statistics s = sim.engine().statistics();
  sim.check(s.in_flight() == 0, "something is in flight");
  sim.check(s.messages_sent == s.commits + s.failures + s.dead_letters, "a message is not accounted for");
}

}  // namespace

TEST_CASE("simulation: a scope that ends while messages are under way leaves nothing of its members", "[law4]") {
  require_in_every_order(500, [](tact::simulation& sim) {
    int handled = 0;
    auto& engine = sim.engine();
    {
      tact::scope group(engine);
      const auto members = one_of_each(group, handled);
      for (int thread = 0; thread < 2; ++thread) {
        sim.start_thread([&engine, members] {
          for (int i = 0; i < 4; ++i) {
            for (const auto m : members) engine.send(m, note{});
          }
        });
      }
      for (const auto m : members) engine.send(m, note{}, tact::spread);
    }
    sim.check(tracked::alive == 0, "a behaviour is left behind its scope");
    const int seen = handled;
    sim.run();  // to the end of the threads
    engine.wait_idle();
    sim.check(handled == seen, "a member ran behind its scope");
    sim.check(engine.statistics().actors_alive == 0, "a member is alive behind its scope");
    check_accounted(sim);
  });
}

TEST_CASE("simulation: behind a scope nothing is left of what its members were before", "[law13]") {
  require_in_every_order(500, [](tact::simulation& sim) {
    int handled = 0;
    auto& engine = sim.engine();
    {
      tact::scope group(engine);
      const auto a = group.create(open_worker(handled, true), tact::parallel);
      for (int i = 0; i < 8; ++i) engine.send(a, note{}, tact::spread);
    }
    sim.check(tracked::alive == 0, "a behaviour is left behind its scope");
  });
}

TEST_CASE("simulation: whoever is made in a scope while it ends, ends too, also by a handler", "[law4]") {
  require_in_every_order(500, [](tact::simulation& sim) {
    struct make {};
    int handled = 0;
    auto& engine = sim.engine();
    tact::scope group(engine);
    const auto maker = engine.create(tact::behavior<make>{[&](tact::self<make>& self, const make&) {
                                       self.send(group.create(open_worker(handled), tact::parallel), note{});
                                     }},
                                     tact::parallel);
    for (int i = 0; i < 6; ++i) engine.send(maker, make{}, tact::spread);
    sim.start_thread([&] {
      for (int i = 0; i < 3; ++i) static_cast<void>(group.create(open_worker(handled)));
      group.end();
    });
    sim.run();
    engine.wait_idle();
    group.wait();
    sim.check(engine.statistics().actors_alive == 1, "a member outlived its scope");
    check_accounted(sim);
  });
}

TEST_CASE("simulation: threads that wait for a scope go on when nothing is left of it, and time does not pass",
          "[law11]") {
  require_in_every_order(500, [](tact::simulation& sim) {
    int handled = 0, went_on = 0;
    auto& engine = sim.engine();
    tact::scope group(engine);
    tact::scope inner(engine, group);
    const auto members = one_of_each(group, handled);
    const auto inside = inner.create(open_worker(handled));
    for (int thread = 0; thread < 2; ++thread) {
      sim.start_thread([&] {
        group.wait();
        sim.check(tracked::alive == 0, "the wait was over while a behaviour was left");
        ++went_on;
      });
    }
    sim.start_thread([&] {
      for (const auto m : members) engine.send(m, stop{});
      engine.send(inside, stop{});
    });
    sim.run();
    sim.check(went_on == 2, "a thread waits for a scope that is empty");
    sim.check(sim.now() == 0ns, "time has passed");
  });
}

TEST_CASE("simulation: a scope that waits for seventy years says so a few times", "[law11]") {
  tact::simulation sim(1);
  auto& engine = sim.engine(quiet_options(2));
  {
    tact::scope s(engine);
    const auto silent = engine.create(
        tact::behavior<tact::request<look>>{[](auto& self, const tact::request<look>& m) { self.defer(m); }});
    const auto waits = s.create(tact::behavior<note>{[silent](tact::self<note>& self, const note&) {
      try {
        static_cast<void>(self.ask(silent, look{}, 24h * 365 * 70));
      } catch (const tact::ask_error&) {
        // After seventy years.
      }
    }});
    engine.send(waits, note{});
    sim.run();
  }
  CHECK(sim.now() >= 24h * 365 * 70);
  const std::string told = sim.trace();
  unsigned lines = 0;
  for (auto at = told.find("a scope waits for"); at != told.npos; at = told.find("a scope waits for", at + 1)) ++lines;
  CHECK(lines > 10);
  CHECK(lines < 200);
}

TEST_CASE("simulation: a wait for a scope with a limit is over when that has passed, in virtual time", "[law11]") {
  require_in_every_order(100, [](tact::simulation& sim) {
    int handled = 0;
    tact::scope group(sim.engine());
    const auto members = one_of_each(group, handled);
    sim.check(!group.wait(5min), "a scope whose members live is said to be empty");
    sim.check(sim.now() == 5min, "the wait took another time");
    for (const auto m : members) sim.engine().send(m, stop{});
    sim.check(group.wait(5min), "a scope whose members have ended is said not to be empty");
    sim.check(sim.now() == 5min, "the wait took its time though all had ended");
  });
}

TEST_CASE("simulation: each monitor hears once that an actor ended, whoever ends it and whatever it becomes",
          "[law3][law4]") {
  require_in_every_order(1'000, [](tact::simulation& sim) {
    int handled = 0;
    std::array<int, 6> heard{};
    auto& engine = sim.engine();
    tact::scope group(engine);
    const auto target = group.create(open_worker(handled, true), tact::parallel);
    const auto watch = [&](int& count) {
      engine.monitor(
          target, engine.create(tact::behavior<tact::ended>{[&](tact::self<tact::ended>& self, const tact::ended& e) {
                                  sim.check(e.was(target), "another one is said to have ended");
                                  self.on_commit([&count] { ++count; });
                                }},
                                tact::parallel));
    };
    watch(heard[0]);
    sim.start_thread([&] {
      for (int i = 0; i < 3; ++i) engine.send(target, note{}, tact::spread);
      watch(heard[1]);
      engine.send(target, stop{});
      watch(heard[2]);
    });
    sim.start_thread([&] {
      for (int i = 0; i < 3; ++i) engine.send(target, note{}, tact::spread);
      watch(heard[3]);
      group.end();
      watch(heard[4]);
    });
    sim.run();
    group.end();
    watch(heard[5]);
    engine.wait_idle();
    for (const int count : heard) sim.check(count == 1, "a monitor heard " + std::to_string(count) + " times");
    sim.check(engine.statistics().actors_alive == heard.size(), "somebody else ended, or the target did not");
    check_accounted(sim);
  });
}

TEST_CASE("simulation: the last of several owners ends an actor once, behind what its thread has sent", "[law5]") {
  require_in_every_order(500, [](tact::simulation& sim) {
    int handled = 0, ends = 0;
    auto& engine = sim.engine();
    const auto ear =
        engine.create(tact::behavior<tact::ended>{[&](tact::self<tact::ended>& self, const tact::ended& e) {
                        sim.check(e.reason == end_reason::owner_gone, "it ended for another reason");
                        self.on_commit([&] { ++ends; });
                      }},
                      tact::parallel);
    auto first = engine.create(open_worker(handled), tact::owned);
    engine.monitor(first.ref(), ear);
    for (int thread = 0; thread < 3; ++thread) {
      sim.start_thread([&, mine = std::optional(first)]() mutable {
        for (int i = 0; i < 2; ++i) engine.send(mine->ref(), note{});
        mine.reset();
      });
    }
    first.reset();
    sim.run();
    engine.wait_idle();
    sim.check(ends == 1, "it ended " + std::to_string(ends) + " times");
    sim.check(handled == 6, "what its owners sent was not handled");
    sim.check(engine.statistics().dead_letters == 0, "what its owners sent came too late");
  });
}

TEST_CASE("simulation: reports say the names of actors, and their failure rule is asked", "[law8]") {
  require_in_every_order(200, [](tact::simulation& sim) {
    int handled = 0, asked = 0, failures = 0;
    std::string reason;
    tact::engine_options options;
    options.on_failure = [&](const tact::failure_report& r) {
      ++failures;
      sim.check(r.name == "clumsy 1", "a failure was reported of " + r.name);
    };
    auto& engine = sim.engine(options);
    const auto rule = [&asked](const tact::failure_report&) {
      return ++asked == 3 ? tact::failure_policy::end : tact::failure_policy::go_on;
    };
    tact::scope group(engine, tact::failure_rule(rule));
    const auto a = group.create(open_worker(handled), tact::named("clumsy 1"));
    engine.monitor(a, engine.create(tact::behavior<tact::ended>{[&](auto&, const tact::ended& e) {
                                      reason = std::string(to_string(e.reason)) + ": " + e.what + ", " +
                                               e.actor.substr(0, 8);
                                    }},
                                    tact::parallel));
    for (int i = 0; i < 3; ++i) engine.send(a, trip{});
    for (int i = 0; i < 2; ++i) engine.send(a, note{});
    engine.wait_idle();
    sim.check(asked == 3 && failures == 3, "the rule was asked " + std::to_string(asked) + " times");
    sim.check(reason == "failed: tripped, clumsy 1", "the monitor heard: " + reason);
    const auto letters = engine.dead_letters();
    sim.check(letters.size() == 2 && handled == 0, "an actor that had ended handled a message");
    for (const auto& l : letters) {
      sim.check(l.target.rfind("clumsy 1 (worker@", 0) == 0, "a dead letter is for " + l.target);
    }
  });
}

}  // namespace lifetime_test
