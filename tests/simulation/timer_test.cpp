// Timers in simulations: what they promise holds in every order, and time is virtual.
#include <algorithm>
#include <array>
#include <chrono>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "simulation/office.hpp"

namespace timer_test {

namespace {

using namespace tact::simulated_tests;
using namespace std::chrono_literals;

struct ring {
  int number;
  tracked kept{};
};
struct letter {
  std::string text;
  tracked kept{};
};
struct parcel {
  std::array<long, 40> load{};
  tracked kept{};
};
struct flag : tact::message {
  int raised = 0;
};
struct bell : tact::protocol<ring, letter, parcel, flag> {};

// Notes when it heard what.
struct notes {
  std::vector<std::pair<std::chrono::nanoseconds, int>> heard;
  [[nodiscard]] std::vector<int> numbers() const {
    std::vector<int> all;
    for (const auto& [when, number] : heard) all.push_back(number);
    return all;
  }
};
tact::behavior<bell> open_bell(tact::simulation& sim, notes& kept) {
  const auto note = [&sim, &kept](int number) { kept.heard.emplace_back(sim.now(), number); };
  return {[=](auto&, const ring& m) { note(m.number); },
          [=](auto&, const letter& m) { note(static_cast<int>(m.text.size())); },
          [=](auto&, const parcel& m) { note(static_cast<int>(m.load[39])); },
          [=](auto&, const flag& m) { note(m.raised); }};
}

// Does what it is told, in its handler.
struct task {
  std::function<void(tact::transaction&)> what;
};
struct hand : tact::protocol<task> {};
tact::behavior<hand> open_hand() {
  return [](tact::self<hand>& self, const task& m) { m.what(self); };
}

struct question {
  using reply = int;
};
struct oracle : tact::protocol<tact::request<question>> {};
tact::behavior<oracle> open_oracle() {
  return [](auto& self, const tact::request<question>& m) { self.reply(m, 42); };
}

void check_counts(tact::simulation& sim, std::uint64_t fired, std::uint64_t cancelled, std::uint64_t armed) {
  const tact::statistics s = sim.engine().statistics();
  sim.check(s.timers_fired == fired, "timers fired: " + std::to_string(s.timers_fired));
  sim.check(s.timers_cancelled == cancelled, "timers cancelled: " + std::to_string(s.timers_cancelled));
  sim.check(s.timers_armed == armed, "timers armed: " + std::to_string(s.timers_armed));
}

}  // namespace

TEST_CASE("timer: fires when its time has come, in the order of times, while run lets no time pass", "[simulation]") {
  require_in_every_order(100, [](tact::simulation& sim) {
    notes kept;
    auto& engine = sim.engine();
    const auto a = engine.create(open_bell(sim, kept));
    const auto h = engine.create(open_hand(), tact::parallel);
    engine.send(h, task{[&](tact::transaction& tx) {
                  tx.send_after(30ms, a, ring{3});
                  tx.send_after(10ms, a, ring{1});
                  tx.send_after(20ms, a, ring{2});
                  tx.send_after(20ms, a, ring{22});  // after the other one: it was set later
                }});
    engine.send_after(25ms, a, letter{"four"});
    engine.send_after(24h * 400, a, parcel{});
    sim.run();
    sim.check(kept.heard.empty(), "time has passed");
    sim.advance(9ms);
    sim.check(kept.heard.empty(), "one fired early");
    sim.advance(21ms);
    sim.check(kept.numbers() == std::vector{1, 2, 22, 4, 3}, "not in the order of times");
    sim.check(kept.heard[0].first == 10ms && kept.heard[4].first == 30ms, "not when it is due");
    check_counts(sim, 5, 0, 1);
    sim.advance(24h * 400);
    sim.check(kept.numbers().size() == 6, "the last one has not come");
  });
}

TEST_CASE("timer: a run that throws, or discards it, sets none and cancels none", "[simulation][law1]") {
  require_in_every_order(100, [](tact::simulation& sim) {
    notes kept;
    auto& engine = sim.engine(quiet_options(2));
    const auto a = engine.create(open_bell(sim, kept), tact::parallel);
    const auto h = engine.create(open_hand(), tact::parallel);
    const tact::timer kept_on = engine.send_after(5ms, a, ring{1});
    const auto stage = [=](tact::transaction& tx) {
      tx.send_after(1ms, a, ring{2});
      tx.send_after(1ms, a, parcel{});
      tx.send_every(1ms, a, letter{"never"});
      kept_on.cancel();
    };
    engine.send(h, task{[=](tact::transaction& tx) {
                  stage(tx);
                  throw std::runtime_error("no");
                }});
    engine.send(h, task{[=](tact::transaction& tx) {
                  stage(tx);
                  tx.discard();
                  tx.send_after(2ms, a, ring{3});
                }});
    sim.advance(1s);
    sim.check(kept.numbers() == std::vector{3, 1}, "a discarded run has left something");
    check_counts(sim, 2, 0, 0);
  });
}

TEST_CASE("timer: a run that collides sets its timers once", "[simulation][law1]") {
  require_in_every_order(200, [](tact::simulation& sim) {
    notes kept;
    auto& engine = sim.engine();
    const auto a = engine.create(open_bell(sim, kept), tact::parallel);
    struct state {
      static tact::behavior<deposit> open(tact::ref<bell> to, int n) {
        return [=](tact::self<deposit>& self, const deposit&) {
          self.send_after(1ms, to, ring{-1}).cancel();
          self.send_after(1ms, to, ring{n});
          self.become(open(to, n + 1));
        };
      }
    };
    const auto counter = engine.create(state::open(a, 0), tact::parallel);
    for (int thread = 0; thread < 2; ++thread) {
      sim.start_thread([&engine, counter] {
        for (int i = 0; i < 5; ++i) engine.send(counter, deposit{1}, tact::spread);
      });
    }
    sim.advance(1s);
    auto numbers = kept.numbers();
    std::sort(numbers.begin(), numbers.end());
    sim.check(numbers == std::vector{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, "not one timer for each commit");
  });
}

TEST_CASE("timer: one that was cancelled never fires, one that could not be has fired and is counted", "[simulation]") {
  require_in_every_order(300, [](tact::simulation& sim) {
    notes kept;
    auto& engine = sim.engine();
    const auto a = engine.create(open_bell(sim, kept), tact::parallel);
    const auto h = engine.create(open_hand(), tact::parallel);
    constexpr std::size_t each = 4;
    std::array<std::optional<bool>, each> cancelled;
    std::array<tact::timer, each> timers;
    for (std::size_t i = 0; i < each; ++i) {
      timers[i] = engine.send_after(std::chrono::milliseconds(i % 2), a, ring{static_cast<int>(i)});
    }
    sim.start_thread([&] {
      for (std::size_t i = 0; i < each; ++i) {
        cancelled[i] = timers[i].cancel();
        if (*cancelled[i]) continue;
        const tact::statistics s = engine.statistics();
        sim.check(s.timers_fired > 0 && s.messages_sent > 0, "it has fired, and nobody has counted it");
      }
    });
    // No actor is told what became of these.
    const tact::timer other = engine.send_after(0ms, a, ring{100});
    engine.send(h, task{[=](tact::transaction&) { other.cancel(); }});
    sim.advance(5ms);
    const auto numbers = kept.numbers();
    for (std::size_t i = 0; i < each; ++i) {
      sim.check(std::count(numbers.begin(), numbers.end(), static_cast<int>(i)) == (*cancelled[i] ? 0 : 1),
                "not what cancel said");
      sim.check(!timers[i].cancel(), "cancelled twice");
    }
    const tact::statistics s = engine.statistics();
    sim.check(s.timers_fired + s.timers_cancelled == each + 1 && s.timers_armed == 0, "one is not accounted for");
    sim.check(s.timers_fired == numbers.size(), "the figures are not those of the actor");
  });
}

TEST_CASE("timer: one that repeats goes on until it is cancelled, by a thread or a handler, and not longer",
          "[simulation]") {
  require_in_every_order(200, [](tact::simulation& sim) {
    notes kept;
    auto& engine = sim.engine();
    const auto a = engine.create(open_bell(sim, kept), tact::parallel);
    const auto h = engine.create(open_hand(), tact::parallel);
    const tact::timer t = engine.send_every(10ms, a, letter{"12"});
    const tact::timer u = engine.send_every(7ms, a, parcel{});
    sim.advance(70ms);
    sim.check(kept.heard.size() == 17, "not once for each period");
    engine.send(h, task{[=](tact::transaction&) { u.cancel(); }});
    sim.run();
    std::size_t at_cancel = 0;
    sim.start_thread([&] {
      sim.check(t.cancel(), "it was there");
      engine.wait_idle();
      at_cancel = kept.heard.size();
    });
    sim.advance(70ms);
    sim.check(kept.heard.size() == at_cancel, "it went on after it was cancelled");
    check_counts(sim, kept.heard.size(), 2, 0);
  });
}

TEST_CASE("timer: one that is due wakes the worker of its actor's shard, and no other one", "[simulation]") {
  require_in_every_order(100, [](tact::simulation& sim) {
    notes kept;
    tact::engine_options options;
    options.workers = 4;
    options.workers_rest = false;
    tact::engine engine(options);
    const auto a = engine.create(open_bell(sim, kept));
    constexpr int count = 20;
    for (int n = 1; n <= count; ++n) engine.send_after(n * 10ms, a, ring{n});
    sim.advance(5ms);  // a worker that has kept watch at the beginning sleeps without a limit now
    const auto wakes = engine.statistics().wakes;
    sim.advance(count * 10ms);
    sim.check(kept.heard.size() == count, "not all have come");
    sim.check(engine.statistics().wakes == wakes + count,
              "wakes: " + std::to_string(engine.statistics().wakes - wakes));
  });
}

TEST_CASE("timer: one that repeats ends with its actor, and leaves one dead letter", "[simulation]") {
  require_in_every_order(50, [](tact::simulation& sim) {
    auto& engine = sim.engine();
    const auto a =
        engine.create(tact::behavior<ring>{[](tact::self<ring>& self, const ring&) { self.stop(); }}, tact::parallel);
    engine.send_every(1ms, a, ring{1});
    sim.advance(1s);
    const tact::statistics s = engine.statistics();
    sim.check(s.timers_fired == 2 && s.dead_letters == 1 && s.timers_armed == 0, "it did not end");
  });
}

TEST_CASE("timer: one that is set is no message in flight, and the engine's end drops it", "[simulation][law11]") {
  require_in_every_order(100, [](tact::simulation& sim) {
    notes kept;
    auto& engine = sim.engine();
    const auto a = engine.create(open_bell(sim, kept), tact::parallel);
    const tact::timer t = engine.send_after(1h, a, letter{"late"});
    engine.send_every(1h, a, parcel{});
    engine.wait_idle();
    sim.check(sim.now() == 0ns, "somebody waited for it");
    sim.start_thread([=] { static_cast<void>(t.cancel()); });
    engine.drain();
    sim.check(sim.now() == 0ns, "somebody waited for it");
    sim.check(tracked::alive == 0, "a message is left");
    const tact::timer late = engine.send_after(0ms, a, ring{1});
    const tact::statistics s = engine.statistics();
    sim.check(s.timers_dropped + s.timers_cancelled == 3 && s.timers_armed == 0, "one is not accounted for");
    sim.check(kept.heard.empty() && !late.cancel(), "one fired after the end");
    sim.check(s.messages_sent == 0, "a message was counted that was not sent");
  });
}

TEST_CASE("timer: whoever waits for a request that a timer carries is told when it will not be sent",
          "[simulation][law8]") {
  require_in_every_order(100, [](tact::simulation& sim) {
    auto& engine = sim.engine();
    const auto o = engine.create(open_oracle(), tact::parallel);
    tact::timer t;
    const auto agent = engine.create(tact::behavior<oracle>{[&t, o](auto& self, const tact::request<question>& m) {
                                       t = self.send_after(1h, o, m);
                                     }},
                                     tact::parallel);
    std::optional<tact::failure_reason> reason;
    const auto ask = [&] {
      try {
        sim.check(engine.ask(agent, question{}) == 42, "another answer");
      } catch (const tact::ask_error& e) {
        reason = e.reason();
      }
    };
    sim.start_thread(ask);
    sim.advance(2h);
    sim.check(!reason, "the request came late, but it came");
    sim.start_thread(ask);
    sim.run();
    sim.check(t.cancel(), "it was there");
    sim.run();
    sim.check(reason == tact::failure_reason::unanswered, "nobody was told of the cancelled one");
    sim.start_thread(ask);
    sim.run();
    engine.cancel();
    sim.run();
    sim.check(reason == tact::failure_reason::engine_ended, "nobody was told of the dropped one");
  });
}

TEST_CASE("timer: an answer that a timer brings pays the debt of the request", "[simulation][law8]") {
  require_in_every_order(50, [](tact::simulation& sim) {
    auto& engine = sim.engine();
    const auto slow = engine.create(tact::behavior<oracle>{[](auto& self, const tact::request<question>& m) {
                                      self.send_after(1s, m.customer, 7);
                                    }},
                                    tact::parallel);
    sim.check(engine.ask(slow, question{}) == 7, "another answer");
    sim.check(sim.now() == 1s, "not when it was due");
  });
}

TEST_CASE("timer: messages of every shape arrive whole", "[simulation]") {
  require_in_every_order(30, [](tact::simulation& sim) {
    notes kept;
    auto& engine = sim.engine();
    flag by_reference;
    by_reference.raised = 5;
    const auto a = engine.create(open_bell(sim, kept), tact::parallel);
    parcel large;
    large.load[39] = 3;
    engine.send_after(1ms, a, ring{1});
    engine.send_after(2ms, a, letter{std::string(2, 'x')});
    engine.send_after(3ms, a, std::move(large));
    engine.send_after(4ms, a, by_reference);
    sim.advance(10ms);
    sim.check(kept.numbers() == std::vector{1, 2, 3, 5}, "one is missing");
  });
}

TEST_CASE("timer: past times fire at once, times beyond the clock never do, and no period is not positive",
          "[simulation]") {
  require_in_every_order(30, [](tact::simulation& sim) {
    notes kept;
    auto& engine = sim.engine();
    const auto a = engine.create(open_bell(sim, kept));
    engine.send_after(-5h, a, ring{1});
    engine.send_at(std::chrono::steady_clock::time_point::min(), a, ring{2});
    engine.send_at(std::chrono::system_clock::time_point{}, a, ring{3});
    sim.run();
    auto numbers = kept.numbers();
    std::sort(numbers.begin(), numbers.end());
    sim.check(numbers == std::vector{1, 2, 3}, "one is late");
    const auto never = engine.send_after(std::chrono::nanoseconds::max(), a, ring{4});
    const auto as_well = engine.send_after(std::chrono::years(1'000'000), a, ring{5});
    const auto no_number =
        engine.send_after(std::chrono::duration<double>(std::numeric_limits<double>::quiet_NaN()), a, ring{6});
    engine.send_at(std::chrono::steady_clock::time_point::max(), a, ring{7});
    sim.advance(24h * 365 * 100);
    sim.check(kept.heard.size() == 3, "never has come");
    sim.check(never.cancel() && as_well.cancel() && no_number.cancel(), "they were there");
    for (const auto period : {0ms, -1ms}) {
      try {
        engine.send_every(period, a, ring{8});
        sim.check(false, "a period that is none");
      } catch (const tact::usage_error&) {
      }
    }
    check_counts(sim, 3, 3, 1);
  });
}

TEST_CASE("timer: inside a handler everything is staged, a cancel too", "[simulation]") {
  require_in_every_order(30, [](tact::simulation& sim) {
    notes kept;
    auto& engine = sim.engine(quiet_options(2));
    const auto a = engine.create(open_bell(sim, kept), tact::parallel);
    const auto h = engine.create(open_hand(), tact::parallel);
    bool said_true = false;
    tact::timer leaked;
    engine.send(h, task{[&](tact::transaction& tx) {
                  leaked = engine.send_after(0ms, a, ring{1});
                  tx.send_after(0ms, a, ring{2});
                  throw std::runtime_error("no");
                }});
    engine.send(h, task{[&, t = engine.send_after(1ms, a, ring{3})](tact::transaction&) {
                  said_true = said_true || t.cancel();
                  throw std::runtime_error("no");
                }});
    engine.send(h, task{[&, t = engine.send_after(1ms, a, ring{4})](tact::transaction&) {
                  said_true = said_true || t.cancel();
                }});
    sim.advance(1s);
    sim.check(!said_true && kept.numbers() == std::vector{3}, "not staged");
    sim.check(!leaked.cancel() && !tact::timer().cancel(), "a handle of nothing");
  });
}

TEST_CASE("timer: the same seed gives the same execution", "[simulation][law12]") {
  TACT_SEEDED(seed);
  const auto play = [&](tact::simulation& sim) {
    notes kept;
    auto& engine = sim.engine();
    const auto a = engine.create(open_bell(sim, kept), tact::parallel);
    for (int thread = 0; thread < 3; ++thread) {
      sim.start_thread([&, thread] {
        for (int i = 0; i < 5; ++i) {
          const auto t = engine.send_after(std::chrono::microseconds(70 * i + 13 * thread), a, ring{i});
          if (i % 2 == 0) static_cast<void>(t.cancel());
        }
      });
    }
    sim.advance(1s);
    return sim.trace();
  };
  for (std::uint64_t n = 0; n < 20; ++n) {
    std::array<std::string, 2> traces;
    for (std::string& t : traces) {
      tact::simulation sim(seed + n);
      t = play(sim);
    }
    CHECK(traces[0].find("ring") != std::string::npos);
    CHECK(traces[0] == traces[1]);
  }
}

}  // namespace timer_test
