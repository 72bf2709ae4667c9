// Handlers that wait for answers, in simulations: stacks within stacks, and one execution for a seed.
#include <algorithm>
#include <chrono>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "simulation/office.hpp"

namespace parked_ask_test {

namespace {

using namespace tact::simulated_tests;

struct transfer {
  tact::ref<account> from, to;
};
struct teller : tact::protocol<transfer> {};

// Reads both balances, each behind a wait, and pays in what they are.
tact::behavior<teller> open_teller() {
  return {[](auto& self, const transfer& m) {
    const long from = self.ask(m.from, balance{});
    self.send(m.to, deposit{1});
    const long to = self.ask(m.to, balance{});
    self.send(m.from, deposit{from >= 0 && to >= 0 ? 1 : 1'000'000});
  }};
}

// Returns what is in both accounts at the end.
long pay_in(tact::engine& e, int transfers) {
  const auto one = e.create(open_account(0), tact::parallel);
  const auto other = e.create(open_account(0));
  const auto parallel = e.create(open_teller(), tact::parallel);
  const auto ordered = e.create(open_teller());
  for (int i = 0; i < transfers; ++i) {
    e.send(i % 2 == 0 ? parallel : ordered, i % 4 < 2 ? transfer{one, other} : transfer{other, one});
  }
  e.wait_idle();
  return e.ask(one, balance{}) + e.ask(other, balance{});
}

std::string story_of(std::uint64_t seed) {
  tact::simulation sim(seed);
  const long cents = pay_in(sim.engine(), 8);
  return sim.trace() + std::to_string(cents) + " cents, " + std::to_string(sim.points()) + " points\n";
}

}  // namespace

TEST_CASE("parked ask: in simulations every wait ends, whatever the schedule", "[law12]") {
  TACT_SEEDED(seed);
  const auto seeds = static_cast<std::uint64_t>(scaled(300));
  for (std::uint64_t s = seed; s < seed + seeds; ++s) {
    INFO("seed=" << s);
    tact::simulation sim(s);
    REQUIRE(pay_in(sim.engine(), 12) == 24);
  }
}

TEST_CASE("parked ask: a seed gives one execution, also of handlers that wait", "[law12]") {
  TACT_SEEDED(seed);
  for (std::uint64_t s = seed; s < seed + 20; ++s) {
    INFO("seed=" << s);
    const std::string first = story_of(s);
    tact::engine real(quiet_options(2));
    CHECK(pay_in(real, 50) == 100);
    CHECK(story_of(s) == first);
  }
}

TEST_CASE("parked ask: a simulated engine that ends tells handlers that wait", "[law12]") {
  TACT_SEEDED(seed);
  struct silent : tact::protocol<tact::request<balance>> {};
  for (std::uint64_t s = seed; s < seed + 20; ++s) {
    INFO("seed=" << s);
    int told = 0;
    {
      tact::simulation sim(s);
      auto& e = sim.engine();
      const auto nobody = e.create(
          tact::behavior<silent>{[](auto& self, const tact::request<balance>& m) { self.defer(m); }}, tact::parallel);
      struct go {};
      struct asker : tact::protocol<go> {};
      const auto asks = e.create(tact::behavior<asker>{[&told, nobody](auto& self, const go&) {
                                   try {
                                     (void)self.ask(nobody, balance{});
                                   } catch (const tact::ask_error& error) {
                                     told += error.reason() == tact::failure_reason::engine_ended;
                                   }
                                 }},
                                 tact::parallel);
      for (int i = 0; i < 10; ++i) e.send(asks, go{});
      sim.run();
      e.cancel();
      CHECK(told == 10);
    }
  }
}

namespace {

struct answer_all {};
// Keeps requests until it is told to answer them.
class keeper : public tact::actor<keeper, tact::request<balance>, answer_all> {
 public:
  void receive(tact::self<keeper>& self, const tact::request<balance>& m) {
    self.defer(m);
    kept_.push_back(m);
  }
  void receive(tact::self<keeper>& self, const answer_all&) {
    for (const auto& m : std::exchange(kept_, {})) self.reply(m, 1);
  }

 private:
  std::vector<tact::request<balance>> kept_;
};

struct wait_here {};
struct grow {};
struct patient : tact::protocol<wait_here, grow> {};
tact::behavior<patient> open_patient(tact::ref<keeper> k, long& answers) {
  return {[=, &answers](auto& self, const wait_here&) { answers += self.ask(k, balance{}); },
          [=, &answers](tact::self<patient>& self, const grow&) { self.become(open_patient(k, answers)); }};
}

// Everything that can happen without time passing, also where the program pumps.
void let_run(tact::simulation& sim, unsigned workers) {
  if (workers == 0) static_cast<void>(sim.engine().pump());
  sim.run();
}

}  // namespace

TEST_CASE("parked ask: when all who waited are answered, nothing of theirs is left after a while of idleness",
          "[law10]") {
  TACT_SEEDED(seed);
  const unsigned workers = GENERATE(0u, 1u, 2u, 8u);
  CAPTURE(workers);
  long answers = 0;
  tact::simulation sim(tact::schedule{.seed = seed, .points_max = 100'000'000});
  auto& e = sim.engine(quiet_options(workers));
  const auto k = e.spawn<keeper>();
  const auto waiters = static_cast<unsigned>(scaled(10'000));
  std::vector<tact::ref<patient>> all;
  for (unsigned i = 0; i < waiters / 10; ++i) {
    all.push_back(i % 2 == 0 ? e.create(open_patient(k, answers), tact::parallel) : e.create(open_patient(k, answers)));
  }
  std::vector<tact::ref<patient>> parallel_ones;
  for (std::size_t i = 0; i < all.size(); i += 2) parallel_ones.push_back(all[i]);
  const auto wave = [&] {
    for (const auto& p : all) e.send(p, wait_here{});
    let_run(sim, workers);
    for (const auto& p : parallel_ones) e.send(p, grow{});
    for (auto i = static_cast<unsigned>(all.size()); i < waiters; ++i) {
      e.send(parallel_ones[i % parallel_ones.size()], wait_here{});
    }
    let_run(sim, workers);
    CHECK(e.statistics().waiting == waiters);
    CHECK(e.statistics().stacks >= waiters);
    e.send(k, answer_all{});
    let_run(sim, workers);
    CHECK(e.statistics().waiting == 0);
    CHECK(e.statistics().in_flight() == 0);
    sim.advance(std::chrono::seconds(2));
    let_run(sim, workers);
  };
  wave();
  const auto base = e.statistics();  // with what an engine keeps for good: cells, and a few chunks
  wave();
  const auto now = e.statistics();
  INFO(base << now);
  CHECK(answers == 2 * static_cast<long>(waiters));
  CHECK(now.stacks == 0);
  CHECK(now.retired == 0);
  CHECK(base.stacks == 0);
  CHECK(base.retired == 0);
  constexpr std::uint64_t a_few = 128 * 1024;  // 13 bytes for each that waited; two chunks more or less for each worker
  CHECK(now.bytes_held <= base.bytes_held + a_few);
  CHECK(now.actors_alive == all.size() + 1);
}

namespace {

struct go {};
struct three_steps : tact::protocol<go> {};

struct failures_heard {
  std::vector<std::string> actors;
  unsigned unrepeatable = 0;
};
tact::engine_options listening(failures_heard& heard, bool rehearse) {
  tact::engine_options o = quiet_options(2);
  o.rehearse = rehearse;
  o.on_failure = [&heard](const tact::failure_report& f) { heard.actors.emplace_back(f.actor); };
  o.on_unrepeatable = [&heard](const tact::unrepeatable_handler&) { ++heard.unrepeatable; };
  return o;
}

// A handler with two waits pays in 1, 10 and 100, each in a segment of its own. Returns what has come.
long pay_in_segments(tact::simulation& sim, const tact::engine_options& options, bool is_ordered) {
  auto& e = sim.engine(options);
  const auto rich = e.create(open_account(0), tact::parallel);
  const auto asked = e.create(open_account(1), tact::parallel);
  tact::behavior<three_steps> payer{[=](auto& self, const go&) {
    self.send(rich, deposit{1});
    const long ten = 10 * self.ask(asked, balance{});
    self.send(rich, deposit{ten});
    const long hundred = ten * 10 * self.ask(asked, balance{});
    self.send(rich, deposit{hundred});
  }};
  e.send(is_ordered ? e.create(std::move(payer)) : e.create(std::move(payer), tact::parallel), go{});
  e.wait_idle();
  sim.throw_at(0);
  return e.ask(rich, balance{});
}

}  // namespace

TEST_CASE("parked ask: a handler that waits can be made to throw at each wait and at its end", "[law1][law8]") {
  TACT_SEEDED(seed);
  const bool rehearse = GENERATE(false, true);
  const bool is_ordered = GENERATE(false, true);
  CAPTURE(rehearse, is_ordered);
  std::set<long> seen;
  constexpr std::uint64_t steps = 3 + 2 + 3;  // of the payer, of the one that is asked, of the one that is paid
  for (std::uint64_t n = 1; n <= steps + 1; ++n) {
    INFO("n=" << n);
    failures_heard heard;
    tact::simulation sim(seed);  // the same order up to that step
    sim.throw_at(n);
    const long came = pay_in_segments(sim, listening(heard, rehearse), is_ordered);
    CHECK(heard.unrepeatable == 0);
    CHECK((sim.has_thrown() || n > steps));  // more, if two that pay in collide
    if (!sim.has_thrown()) {
      CHECK(came == 111);
    } else if (heard.actors.size() == 1 && heard.actors.front().ends_with("three_steps")) {
      CHECK((came == 0 || came == 1 || came == 11));  // nothing of the segment, and all that came before
      seen.insert(came);
    } else if (heard.actors.size() == 2) {  // the one that was asked, and so the one that asked
      CHECK((came == 1 || came == 11));
    } else {  // a deposit that its own handler lost
      CHECK((came == 110 || came == 101 || came == 11));
    }
  }
  CHECK(seen == std::set<long>{0, 1, 11});
}

TEST_CASE("parked ask: the trace of a deadlock says who waits for whom, and what was put aside meanwhile",
          "[simulation]") {
  TACT_SEEDED(seed);
  struct silent : tact::protocol<tact::request<balance>> {};
  struct curious : tact::protocol<deposit> {};
  tact::simulation sim(seed);
  auto& e = sim.engine();
  const auto deaf = e.create(tact::behavior<silent>{[](auto& self, const tact::request<balance>& m) { self.defer(m); }},
                             tact::named("deaf"), tact::parallel);
  const auto asks = e.create(
      tact::behavior<curious>{[deaf](auto& self, const deposit&) { static_cast<void>(self.ask(deaf, balance{})); }},
      tact::named("asks"));
  e.send(asks, deposit{1});
  e.send(asks, deposit{2});
  CHECK_THROWS_WITH(e.wait_idle(), Catch::Contains("deadlock"));
  const std::string trace = sim.trace();
  INFO(trace);
  const auto count = [&](std::string_view text) {
    std::size_t found = 0;
    for (auto at = trace.find(text); at != std::string::npos; at = trace.find(text, at + 1)) ++found;
    return found;
  };
  CHECK(count("waits for an answer of deaf") == 1);
  CHECK(count("waits, and puts aside deposit") == 1);
  CHECK(count("handles deposit") == 1);
}

}  // namespace parked_ask_test
