// What a program can do with the simulation in which it runs: run, step, time, exceptions, memory.
#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "simulation/office.hpp"
#include "support/death.hpp"

namespace control_test {

namespace {

using namespace tact::simulated_tests;
using namespace std::chrono_literals;

// Keeps its questions, and never answers.
struct never {
  using reply = int;
};
struct silent : tact::protocol<tact::request<never>> {};
tact::behavior<silent> open_silent() {
  return {[](tact::self<silent>& self, const tact::request<never>& m) { self.defer(m); }};
}

struct spin {};
tact::behavior<spin> open_wheel() {
  return {[](tact::self<spin>& self, const spin& m) { self.send(self.ref(), m); }};
}

// Payments move money between two accounts; nothing but whole payments may ever be seen.
struct move_money {
  long cents;
};
struct vault : tact::protocol<move_money, tact::request<balance>> {};
tact::behavior<vault> open_vault(long cents, tact::ref<account> to, const std::string& ballast) {
  return {
      [=](tact::self<vault>& self, const move_money& m) {
        self.send(to, deposit{m.cents});
        self.send(self.create(open_account(m.cents), tact::parallel), deposit{1});
        self.become(open_vault(cents - m.cents, to, ballast + "x"));
      },
      [=](auto& self, const tact::request<balance>& m) { self.reply(m, cents); },
  };
}

}  // namespace

namespace {

// False: there was no memory for it.
template <class To, class M>
bool is_sent(tact::engine& engine, To to, M message) {
  try {
    engine.send(to, message);
    return true;
  } catch (const std::bad_alloc&) {
    return false;
  }
}

}  // namespace

TEST_CASE("simulation: run goes on until nothing can happen, and no time passes", "[simulation]") {
  TACT_SEEDED(seed);
  tact::simulation sim(seed);
  auto& engine = sim.engine();
  const auto a = engine.create(open_account(0), tact::parallel);
  for (int i = 0; i < 100; ++i) engine.send(a, deposit{1});
  sim.run();
  CHECK(engine.statistics().in_flight() == 0);
  CHECK(sim.now() == 0ns);
  CHECK(engine.ask(a, balance{}) == 100);
}

TEST_CASE("simulation: step lets somebody else go on to the next point", "[simulation]") {
  TACT_SEEDED(seed);
  tact::simulation sim(seed);
  auto& engine = sim.engine();
  const auto a = engine.create(open_account(0), tact::parallel);
  sim.run();
  CHECK(!sim.step());
  engine.send(a, deposit{1});
  unsigned steps = 0;
  while (sim.step()) ++steps;
  CHECK(steps > 1);
  CHECK(engine.statistics().in_flight() == 0);
}

TEST_CASE("simulation: time passes when it is told to, or when all wait for it", "[simulation]") {
  TACT_SEEDED(seed);
  tact::simulation sim(seed);
  auto& engine = sim.engine();
  sim.advance(3s);
  CHECK(sim.now() == 3s);
  const auto quiet = engine.create(open_silent(), tact::parallel);
  const auto began = std::chrono::steady_clock::now();
  CHECK(!engine.ask(quiet, never{}, std::chrono::hours(5)).has_value());
  CHECK(sim.now() == 3s + std::chrono::hours(5));
  CHECK(!engine.wait_finished(10min));
  CHECK(sim.now() == 3s + std::chrono::hours(5) + 10min);
  CHECK(std::chrono::steady_clock::now() - began < 60s);
}

TEST_CASE("simulation: a program that waits for what never comes is told so", "[simulation]") {
  TACT_SEEDED(seed);
  tact::simulation sim(seed);
  auto& engine = sim.engine();
  const auto quiet = engine.create(open_silent(), tact::parallel);
  CHECK_THROWS_WITH(engine.ask(quiet, never{}), Catch::Contains("deadlock"));
  CHECK(!sim.failure().empty());
}

TEST_CASE("simulation: a program that does not end is ended", "[simulation]") {
  TACT_SEEDED(seed);
  tact::simulation sim(tact::schedule{.seed = seed, .points_max = 20'000});
  auto& engine = sim.engine();
  engine.send(engine.create(open_wheel(), tact::parallel), spin{});
  CHECK_THROWS_WITH(engine.wait_idle(), Catch::Contains("no end in sight"));
  CHECK_THROWS_AS(sim.run(), tact::simulation_error);
}

TEST_CASE("simulation: an engine waits, asks, drains, cancels and finishes as anywhere else", "[simulation]") {
  TACT_SEEDED(seed);
  for (std::uint64_t s = seed; s < seed + 50; ++s) {
    INFO("seed=" << s);
    const nothing_left left;
    tact::simulation sim(s);
    tact::engine drained(quiet_options(3)), cancelled(quiet_options(2)), finished(quiet_options(1));
    const auto a = drained.create(open_account(0), tact::parallel);
    for (int i = 0; i < 20; ++i) drained.send(a, deposit{1});
    drained.drain();
    CHECK(drained.statistics().commits == 20);
    const auto b = cancelled.create(open_account(0), tact::parallel);
    for (int i = 0; i < 20; ++i) cancelled.send(b, deposit{1});
    cancelled.cancel();
    const tact::statistics end = cancelled.statistics();
    CHECK(end.messages_sent == end.commits + end.dead_letters);
    CHECK_THROWS_AS(cancelled.ask(b, balance{}), tact::ask_error);
    const auto c = finished.spawn<archive>();
    finished.send(c, line{1});
    finished.send(c, tact::finished_msg);
    finished.wait_finished();
    CHECK(finished.statistics().actors_alive == 0);
  }
}

TEST_CASE("simulation: a cancel waits for threads that are being told that their target has ended", "[law11]") {
  TACT_SEEDED(seed);
  const auto e = tact::explore(
      static_cast<std::uint64_t>(scaled(2'000)),
      [](tact::simulation& sim) {
        auto& engine = sim.engine(quiet_options(2));
        const auto gone = engine.create(
            tact::behavior<silent>{[](tact::self<silent>& self, const tact::request<never>&) { self.stop(); }},
            tact::parallel);
        CHECK_THROWS_AS(engine.ask(gone, never{}), tact::ask_error);
        unsigned told = 0;
        for (int thread = 0; thread < 2; ++thread) {
          sim.start_thread([&] {
            try {
              (void)engine.ask(gone, never{});
            } catch (const tact::ask_error&) {
              ++told;
            }
          });
        }
        sim.start_thread([&] { engine.cancel(); });
        sim.run();
        engine.cancel();
        sim.check(told == 2, "a thread that asks has not heard");
        const tact::statistics s = engine.statistics();
        sim.check(s.messages_sent == s.commits + s.failures + s.dead_letters, "a message is not accounted for");
      },
      {.seed = seed, .prints = false});
  INFO(e.text());
  CHECK(!e.failed);
}

TEST_CASE("simulation: an exception in any run leaves nothing of it", "[law1][law8]") {
  TACT_SEEDED(seed);
  unsigned thrown = 0;
  for (std::uint64_t n = 1; n < 40; ++n) {
    INFO("n=" << n << " seed=" << seed + n);
    tact::simulation sim(seed + n);
    auto& engine = sim.engine();
    const auto to = engine.create(open_account(0), tact::parallel);
    const auto from = engine.create(open_vault(0, to, ""), tact::parallel);
    sim.throw_at(n);
    for (int i = 0; i < 10; ++i) engine.send(from, move_money{1});
    engine.wait_idle();
    const tact::statistics now = engine.statistics();
    thrown += sim.has_thrown();
    CHECK(now.failures == (sim.has_thrown() ? 1 : 0));
    CHECK(now.messages_sent == now.commits + now.failures + now.dead_letters);
    sim.throw_at(0);
    // One that never left, or one that never came: what a failed deposit had is lost, as its handler's is.
    const long left = engine.ask(from, balance{}), came = engine.ask(to, balance{});
    const long lost = -left - came;
    CHECK((lost == 0 || lost == 1));
    CHECK((left == -10 || left == -9));
    CHECK(now.actors_alive == 2 + static_cast<std::uint64_t>(-left));
  }
  CHECK(thrown > 10);
}

TEST_CASE("simulation: a run that hears of a failure can be made to throw, and leaves nothing then", "[law1]") {
  const auto nth = GENERATE(1U, 2U, 3U);  // the asker, its function for failures, and what that tells
  tact::simulation sim(nth);
  tact::engine_options options = quiet_options(2);
  auto& engine = sim.engine(options);
  int told = 0;
  struct go {};
  const auto notes = engine.create(tact::behavior<deposit>{[&](auto&, const deposit&) { ++told; }});
  const auto closed = engine.create(tact::behavior<tact::request<balance>>{
      [](auto&, const tact::request<balance>&) { throw std::runtime_error("closed"); }});
  const auto asker = engine.create(tact::behavior<go>{[=](auto& self, const go&) {
    self.ask(
        closed, balance{}, [](tact::transaction&, long) {},
        [=](tact::transaction& tx, const tact::failure&) { tx.send(notes, deposit{1}); });
  }});
  sim.throw_at(nth);
  engine.send(asker, go{});
  sim.run();
  CHECK(sim.has_thrown());
  CHECK(told == (nth == 3 ? 1 : 0));  // what a handler does outside of its transaction stays done
  CHECK(engine.statistics().failures == (nth == 1 ? 1U : 2U));
  CHECK(engine.statistics().dead_letters == 0);
}

TEST_CASE("simulation: memory that is refused leaves nothing of a run, or of a send", "[law1][law8]") {
  TACT_SEEDED(seed);
  unsigned refused = 0;
  for (std::uint64_t n = 1; n < 60; ++n) {
    INFO("n=" << n << " seed=" << seed + n);
    tact::simulation sim(seed + n);
    auto& engine = sim.engine();
    const auto to = engine.create(open_account(0), tact::parallel);
    const auto from = engine.create(open_vault(0, to, ""), tact::parallel);
    sim.fail_allocation(n);
    unsigned not_sent = 0;
    for (int i = 0; i < 10; ++i) not_sent += !is_sent(engine, from, move_money{1});
    engine.wait_idle();
    const tact::statistics now = engine.statistics();
    refused += sim.has_failed_allocation();
    CHECK(now.failures + not_sent <= (sim.has_failed_allocation() ? 1 : 0));
    CHECK(now.messages_sent == now.commits + now.failures + now.dead_letters);
    sim.fail_allocation(0);
    const long left = engine.ask(from, balance{}), came = engine.ask(to, balance{});
    const long lost = -left - came;
    CHECK((lost == 0 || lost == 1));
    CHECK((left == -10 || left == -9));
    CHECK(now.actors_alive == 2 + static_cast<std::uint64_t>(-left));
  }
  CHECK(refused > 10);
}

TEST_CASE("simulation: of a run that has no room for all of its messages none is sent", "[law1][law8]") {
  TACT_SEEDED(seed);
  constexpr long letters = 300;  // several chunks for each receiver
  unsigned refused = 0;
  for (std::uint64_t n = 1; n < 40; ++n) {
    INFO("n=" << n << " seed=" << seed + n);
    const nothing_left left;
    tact::simulation sim(seed + n);
    auto& engine = sim.engine();
    std::vector<tact::ref<account>> to;
    for (int i = 0; i < 6; ++i) {
      to.push_back(i % 2 == 0 ? engine.create(open_account(0), tact::parallel) : engine.create(open_account(0)));
    }
    const auto writer = engine.create(tact::behavior<spin>{[to, t = tracked()](tact::self<spin>& self, const spin&) {
                                        for (long i = 0; i < letters; ++i) {
                                          for (const auto& r : to) self.send(r, deposit{1});
                                        }
                                      }},
                                      tact::parallel);
    sim.fail_allocation(n);
    unsigned not_sent = 0;
    for (int i = 0; i < 3; ++i) not_sent += !is_sent(engine, writer, spin{});
    engine.wait_idle();
    sim.fail_allocation(0);
    const tact::statistics now = engine.statistics();
    refused += sim.has_failed_allocation();
    CHECK(now.failures + not_sent <= (sim.has_failed_allocation() ? 1 : 0));
    CHECK(now.messages_sent == now.commits + now.failures + now.dead_letters);
    // Either a run of the writer failed, or one deposit.
    long least = letters * 3, all = 0;
    for (const auto& r : to) {
      const long cents = engine.ask(r, balance{});
      least = std::min(least, cents);
      all += cents;
    }
    const bool one_deposit = least == letters * 3 - 1 && all == letters * 3 * 6 - 1;
    CHECK((all == letters * 3 * 6 || all == letters * 2 * 6 || one_deposit));
  }
  CHECK(refused > 10);
}

TEST_CASE("simulation: a request whose handler throws fails its asker with the reason", "[law8]") {
  TACT_SEEDED(seed);
  tact::simulation sim(seed);
  auto& engine = sim.engine();
  const auto a = engine.create(open_account(0), tact::parallel);
  sim.throw_at(1);
  CHECK_THROWS_WITH(engine.ask(a, balance{}), Catch::Contains("throw_at"));
  CHECK(engine.ask(a, balance{}) == 0);
}

TEST_CASE("simulation: threads of the program take part", "[simulation]") {
  TACT_SEEDED(seed);
  for (std::uint64_t s = seed; s < seed + 50; ++s) {
    INFO("seed=" << s);
    tact::simulation sim(s);
    auto& engine = sim.engine();
    const auto a = engine.create(open_account(0), tact::parallel);
    std::vector<long> seen;
    for (int t = 0; t < 3; ++t) {
      sim.start_thread([&] {
        for (int i = 0; i < 10; ++i) engine.send(a, deposit{1});
        seen.push_back(engine.ask(a, balance{}));
      });
    }
    sim.run();
    CHECK(seen.size() == 3);
    CHECK(engine.ask(a, balance{}) == 30);
  }
}

TEST_CASE("simulation: a thread of the program that cannot end is a failure", "[simulation]") {
  TACT_SEEDED(seed);
  tact::simulation sim(seed);
  auto& engine = sim.engine();
  const auto quiet = engine.create(open_silent(), tact::parallel);
  bool waited = false;
  sim.start_thread([&] {
    waited = true;
    (void)engine.ask(quiet, never{});
  });
  sim.run();
  CHECK(waited);
  CHECK(sim.failure().empty());
  sim.end();
  CHECK(!sim.failure().empty());
}

TEST_CASE("simulation: an engine that is left in a simulation ends the process with a sentence", "[simulation]") {
  CHECK(last_words([] {
          auto sim = std::make_unique<tact::simulation>(1);
          const tact::engine engine(quiet_options(1));
          sim.reset();
        }).find("still there") != std::string::npos);
}

TEST_CASE("simulation: what may not be is refused with a sentence", "[simulation]") {
  TACT_SEEDED(seed);
  tact::simulation sim(seed);
  CHECK_THROWS_AS(tact::simulation(seed), tact::usage_error);
  auto& engine = sim.engine();
  CHECK_THROWS_AS(sim.engine(quiet_options(1)), tact::usage_error);
  CHECK(&sim.engine() == &engine);
  bool refused = false;
  const auto a = engine.create(tact::behavior<spin>{[&](tact::self<spin>&, const spin&) {
                                 try {
                                   sim.run();
                                 } catch (const tact::usage_error&) {
                                   refused = true;
                                 }
                               }},
                               tact::parallel);
  engine.send(a, spin{});
  engine.wait_idle();
  CHECK(refused);
}

// What run, step and advance say where they are called.
std::vector<std::string> refusals(tact::simulation& sim) {
  std::vector<std::string> said;
  for (const auto& call : {std::function<void()>([&] { sim.run(); }), std::function<void()>([&] { (void)sim.step(); }),
                           std::function<void()>([&] { sim.advance(1s); })}) {
    try {
      call();
      said.emplace_back("accepted");
    } catch (const tact::usage_error& e) {
      said.emplace_back(e.what());
    }
  }
  return said;
}

void look_at_refusals(const std::vector<std::string>& said) {
  REQUIRE(said.size() == 3);
  CHECK_THAT(said[0], Catch::Contains("run is called in a handler, or on another thread"));
  CHECK_THAT(said[1], Catch::Contains("step is called in a handler, or on another thread"));
  CHECK_THAT(said[2], Catch::Contains("advance is called in a handler, or on another thread") &&
                          Catch::Contains("self.send_after") && Catch::Contains("in the program"));
}

TEST_CASE("simulation: only the program lets time pass; elsewhere that is refused, with the remedy", "[simulation]") {
  TACT_SEEDED(seed);
  for (const unsigned workers : {0U, 2U}) {
    std::vector<std::string> in_handler;
    std::vector<std::string> on_thread;
    tact::simulation sim(seed);
    auto& engine = sim.engine(quiet_options(workers));
    const auto a =
        engine.create(tact::behavior<spin>{[&](tact::self<spin>&, const spin&) { in_handler = refusals(sim); }});
    engine.send(a, spin{});
    engine.wait_idle();
    look_at_refusals(in_handler);
    sim.start_thread([&] { on_thread = refusals(sim); });
    sim.run();
    look_at_refusals(on_thread);
    sim.advance(1s);
    CHECK(sim.now() >= 1s);
  }
}

}  // namespace control_test
