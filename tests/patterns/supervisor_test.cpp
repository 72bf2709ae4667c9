// Supervisors: which children are restarted, when, in which order they end, and what happens when there is too much.
#include <map>
#include <mutex>
#include <optional>
#include <sstream>

#include "patterns/trouble.hpp"
#include "support/restarts.hpp"
#include "tact/patterns/router.hpp"
#include "tact/patterns/supervisor.hpp"

namespace supervisor_test {

namespace {

using namespace tact::patterns_tests;
using namespace std::chrono_literals;
using tact::failure_policy;
using tact::failure_report;
using tact::failure_rule;
using tact::failure_verdict;
using tact::restart_strategy;

tact::restarting<tact::behavior<fragile_sum> (*)()> makes_sum() {
  return tact::restarting<tact::behavior<fragile_sum> (*)()>(+[] { return open_sum(); });
}

// Three children that have added up 1, 2 and 3; the one in the middle trips. What have they then?
std::vector<long> totals_after_failure(tact::engine& engine, restart_strategy strategy) {
  tact::supervisor all(engine, {.strategy = strategy});
  std::vector<tact::ref<fragile_sum>> children;
  for (int i = 1; i <= 3; ++i) children.push_back(all.create(makes_sum()));
  for (int i = 1; i <= 3; ++i) children[static_cast<std::size_t>(i - 1)] | add{i};
  require_idle(engine);
  children[1] | trip{};
  require_idle(engine);
  std::vector<long> totals;
  for (const auto c : children) totals.push_back(engine.ask(c, total{}));
  return totals;
}

// Notes when children are made and when they go.
class child : public tact::actor<child, add, trip, leave> {
 public:
  child(int number, std::vector<int>& gone, std::mutex& mutex) : number_(number), gone_(&gone), mutex_(&mutex) {}
  ~child() {
    const std::lock_guard lock(*mutex_);
    gone_->push_back(number_);
  }
  void receive(tact::self<child>&, const add&) {}
  void receive(tact::self<child>&, const trip&) { throw std::runtime_error("tripped"); }
  void receive(tact::self<child>& self, const leave&) { self.stop(); }

 private:
  int number_;
  std::vector<int>* gone_;
  std::mutex* mutex_;
};

// -- one for all: what the child that has failed sends next finds its siblings made anew

struct go {};
struct dirty {};
struct probe {};
struct sibling : tact::protocol<dirty, probe> {};

tact::behavior<sibling> open_sibling(bool is_dirty, int& probed_dirty, int& probed) {
  return {[&](tact::self<sibling>& self, const dirty&) { self.become(open_sibling(true, probed_dirty, probed)); },
          [&, is_dirty](auto&, const probe&) {
            ++probed;
            probed_dirty += is_dirty ? 1 : 0;
          }};
}

void sibling_is_probed(tact::simulation& sim, bool orders_first) {
  auto& engine = sim.engine(quiet_options(3));
  int probed = 0;
  int probed_dirty = 0;
  int calls = 0;
  {
    tact::supervisor all(engine, {.strategy = restart_strategy::one_for_all});
    const auto other = all.create(tact::restarting([&] { return open_sibling(false, probed_dirty, probed); }));
    const auto first =
        all.create(tact::restarting([&, other] {
                     return tact::behavior<go>{[&, other](auto& self, const go&) {
                       if (++calls == 1) throw std::runtime_error("at first");
                       self.send(other, probe{});
                     }};
                   }),
                   failure_rule([=](const failure_report&) {
                     return failure_verdict(orders_first ? failure_policy::restart : failure_policy::go_on, 0s, true);
                   }));
    other | dirty{};
    sim.run();
    sim.start_thread([first] { first | go{}; });
    sim.run();
    sim.check(probed == 1, "the sibling was not probed");
    sim.check(probed_dirty == 0, "the sibling was not made anew before");
  }
  sim.run();
}

}  // namespace

TEST_CASE("supervisor: by its strategy the failing child is restarted, or all, or it and those after it", "[law8]") {
  TACT_FOR_EACH_WORKER_COUNT(workers);
  const nothing_left left;
  tact::engine engine(quiet_options(workers));
  CHECK(totals_after_failure(engine, restart_strategy::one_for_one) == std::vector<long>{1, 0, 3});
  CHECK(totals_after_failure(engine, restart_strategy::one_for_all) == std::vector<long>{0, 0, 0});
  CHECK(totals_after_failure(engine, restart_strategy::rest_for_one) == std::vector<long>{1, 0, 0});
}

TEST_CASE("supervisor: what a restarted child sends finds its siblings made anew", "[law5][law8]") {
  const auto e = tact::explore(static_cast<std::uint64_t>(scaled(1'000)),
                               [](tact::simulation& sim) { sibling_is_probed(sim, true); }, {.prints = false});
  INFO(e.text());
  CHECK(!e.failed);
  CHECK(tact::explore(100, [](tact::simulation& sim) { sibling_is_probed(sim, false); }, {.prints = false}).failed);
}

// In a simulation a worker looks up behind each message, so this is for threads: both messages are in one chunk.
TEST_CASE("supervisor: what a child sends in its next message finds its siblings made anew, too", "[law5][law8]") {
  tact::engine engine(quiet_options(1));
  int probed = 0;
  int probed_dirty = 0;
  int calls = 0;
  tact::supervisor all(engine, {.strategy = restart_strategy::one_for_all});
  const auto other = all.create(tact::restarting([&] { return open_sibling(false, probed_dirty, probed); }));
  const auto first = all.create(tact::restarting([&, other] {
    return tact::behavior<go>{[&, other](auto& self, const go&) {
      if (++calls == 1) throw std::runtime_error("at first");
      self.send(other, probe{});
    }};
  }));
  const auto sender = engine.create(tact::behavior<add>{[first, other](auto& self, const add&) {
    for (int i = 0; i < 5'000; ++i) self.send(other, dirty{});  // now the worker looks up seldom
    self.send(first, go{});
    self.send(first, go{});
  }});
  sender | add{1};
  require_idle(engine);
  CHECK(probed == 1);
  CHECK(probed_dirty == 0);
}

TEST_CASE("supervisor: with too many failures in its time it fails, and its children end", "[law8]") {
  TACT_FOR_EACH_WORKER_COUNT(workers);
  const nothing_left left;
  tact::engine engine(quiet_options(workers));
  tact::supervisor all(engine, {.restarts = 3, .within = 1h});
  const auto a = all.create(makes_sum());
  const auto b = all.create(makes_sum(), tact::parallel);
  for (int i = 0; i < 3; ++i) {
    a | trip{};
    require_idle(engine);
  }
  CHECK(!all.has_failed());
  CHECK(engine.ask(a, total{}) == 0);
  b | trip{};
  REQUIRE(all.wait(generous));
  require_idle(engine);
  CHECK(all.has_failed());
  CHECK(all.restarts() == 3);
  CHECK(all.size() == 0);
  CHECK(engine.statistics().actors_alive == 0);
}

TEST_CASE("supervisor: failures that lie far apart are not counted together", "[law8]") {
  tact::simulation sim(1);
  auto& engine = sim.engine(quiet_options(2));
  {
    tact::supervisor all(engine, {.restarts = 1, .within = 1s});
    const auto a = all.create(makes_sum());
    for (int i = 0; i < 10; ++i) {
      a | trip{};
      sim.run();
      sim.advance(1001ms);
    }
    CHECK(all.restarts() == 10);
    CHECK(!all.has_failed());
    a | trip{};
    a | trip{};
    sim.run();
    CHECK(all.has_failed());
  }
  sim.end();
}

TEST_CASE("supervisor: one that fails inside another is restarted with its children, and what cannot be ends",
          "[law8]") {
  TACT_FOR_EACH_WORKER_COUNT(workers);
  const nothing_left left;
  tact::engine engine(quiet_options(workers));
  tact::supervisor outer(engine, {.restarts = 1, .within = 1h});
  const auto beside = outer.create(makes_sum());
  tact::supervisor inner(engine, outer, {.restarts = 0});
  const auto a = inner.create(makes_sum());
  const auto b = inner.create(makes_sum());
  const auto once = inner.create(open_sum());
  for (const auto c : {beside, a, b, once}) c | add{1};
  require_idle(engine);
  a | trip{};
  require_idle(engine);
  CHECK(engine.ask(a, total{}) == 0);
  CHECK(engine.ask(b, total{}) == 0);
  CHECK(engine.ask(beside, total{}) == 1);
  CHECK(inner.size() == 2);
  CHECK(outer.restarts() == 1);
  CHECK(!inner.has_failed());
  b | trip{};  // one too many for the outer one as well
  REQUIRE(outer.wait(generous));
  require_idle(engine);
  CHECK(inner.has_failed());
  CHECK(outer.has_failed());
  CHECK(engine.statistics().actors_alive == 0);
}

TEST_CASE("supervisor: a permanent child that stops is restarted, a transient one ends, a temporary one always ends",
          "[law8]") {
  TACT_FOR_EACH_WORKER_COUNT(workers);
  const nothing_left left;
  tact::engine engine(quiet_options(workers));
  const bool parallel = GENERATE(false, true);
  tact::supervisor all(engine, {.restarts = 10});
  const auto make = [&](auto kind) {
    return parallel ? all.create(makes_sum(), kind, tact::parallel) : all.create(makes_sum(), kind);
  };
  const auto permanent = make(tact::permanent);
  const auto transient = make(tact::transient);
  const auto temporary = make(tact::temporary);
  permanent | add{1};
  require_idle(engine);
  permanent | leave{};
  require_idle(engine);
  CHECK(engine.ask(permanent, total{}) == 0);
  transient | trip{};
  require_idle(engine);
  CHECK(engine.ask(transient, total{}) == 0);
  transient | leave{};
  temporary | trip{};
  require_idle(engine);
  CHECK(all.size() == 1);
  CHECK(all.restarts() == 2);
  CHECK(all.end(permanent));
  require_idle(engine);
  CHECK(all.size() == 0);
  CHECK(!all.end(permanent));
}

TEST_CASE("supervisor: its children end in order, the last that was started first", "[law4]") {
  TACT_FOR_EACH_WORKER_COUNT(workers);
  std::vector<int> gone;
  std::mutex mutex;
  tact::engine engine(quiet_options(workers));
  std::vector<tact::ref<child>> all;
  {
    tact::supervisor outer(engine);
    const auto add_child = [&](tact::supervisor& to, int n) {
      all.push_back(to.spawn<child>(tact::restartable, n, std::ref(gone), std::ref(mutex)));
    };
    add_child(outer, 1);
    tact::supervisor inner(engine, outer);
    add_child(inner, 2);
    add_child(inner, 3);
    add_child(outer, 4);
    for (const auto c : all) c | trip{};  // a restart changes nothing of the order
    require_idle(engine);
    gone.clear();
    outer.end();
    REQUIRE(outer.wait(generous));
  }
  CHECK(gone == std::vector<int>{4, 3, 2, 1});
}

TEST_CASE("supervisor: a child that does not end in its time is not waited for", "[law4]") {
  TACT_FOR_EACH_THREAD_COUNT(workers);
  door way_out;
  std::vector<int> gone;
  std::mutex mutex;
  tact::engine engine(quiet_options(std::max(2u, workers)));
  {
    tact::supervisor all(engine);
    const auto first = all.spawn<child>(tact::restartable, 1, std::ref(gone), std::ref(mutex));
    const auto stands = all.create(tact::behavior<go>{[&](auto&, const go&) { CHECK(way_out.pass()); }}, tact::blocking,
                                   tact::shutdown_limit{1ms});
    const auto last = all.spawn<child>(tact::restartable, 3, std::ref(gone), std::ref(mutex));
    stands | go{};
    all.end();
    while (all.size() != 1) std::this_thread::yield();  // the one that stands is left
    way_out.open();
    static_cast<void>(first);
    static_cast<void>(last);
  }
  CHECK(gone == std::vector<int>{3, 1});
}

TEST_CASE("supervisor: children rest longer with each restart, and what comes waits for them", "[law5][law8]") {
  tact::simulation sim(1);
  auto& engine = sim.engine(quiet_options(2));
  {
    tact::supervisor all(engine, {.restarts = 10, .within = 1h, .first_delay = 1s, .factor = 3, .delay_max = 5s});
    const auto a = all.create(makes_sum());
    for (const auto rest : {1s, 3s, 5s, 5s}) {
      const auto restarts = engine.statistics().restarts;
      a | trip{};
      a | add{1};
      sim.run();
      sim.advance(rest - 10ms);
      CHECK(engine.statistics().restarts == restarts);
      CHECK(engine.statistics().in_flight() == 1);
      sim.advance(20ms);
      CHECK(engine.statistics().restarts == restarts + 1);
      CHECK(engine.statistics().in_flight() == 0);
    }
  }
  sim.end();
}

TEST_CASE("supervisor: a sibling that rests, and would go on as it was, is made anew with the others", "[law8]") {
  tact::simulation sim(1);
  auto& engine = sim.engine(quiet_options(2));
  {
    tact::supervisor all(engine, {.strategy = restart_strategy::one_for_all});
    const failure_rule rests([](const failure_report&) { return failure_verdict(failure_policy::go_on, 1s); });
    const auto one = all.create(tact::restarting([] { return open_sum(); }), rests);
    const auto other = all.create(tact::restarting([] { return open_sum(); }));
    one | add{1};
    one | trip{};
    sim.run();
    one | add{2};
    other | trip{};
    sim.run();
    sim.advance(2s);
    CHECK(engine.ask(one, total{}) == 2);
    CHECK(engine.statistics().restarts == 2);
  }
  sim.end();
}

TEST_CASE("supervisor: a child that cannot be made anew is tried again, and each attempt counts", "[law8]") {
  const unsigned in_vain = GENERATE(2u, 3u);
  tact::simulation sim(1);
  auto& engine = sim.engine(quiet_options(2));
  {
    tact::supervisor all(engine, {.restarts = 3, .within = 1h});
    unsigned made = 0;
    const auto a = all.create(tact::restarting([&] {
      if (made++ != 0 && made <= in_vain + 1) throw std::runtime_error("not there");
      return open_sum();
    }));
    a | trip{};
    a | add{1};
    sim.run();
    sim.advance(10ms);
    CHECK(all.restarts() == 3);
    CHECK(all.has_failed() == (in_vain == 3));
    CHECK(engine.statistics().restarts == (in_vain == 3 ? 0 : 1));
    CHECK(engine.statistics().dead_letters == (in_vain == 3 ? 1 : 0));
  }
  sim.end();
}

TEST_CASE("supervisor: handlers make children, and a run that does not commit makes none", "[law1][law4]") {
  TACT_FOR_EACH_WORKER_COUNT(workers);
  const nothing_left left;
  tact::engine engine(quiet_options(workers));
  tact::supervisor all(engine, {.restarts = 100});
  const auto parent = engine.create(tact::behavior<add>{[&](auto&, const add& m) {
    const auto made = all.create(makes_sum());
    made | trip{};
    if (m.n < 0) throw std::runtime_error("not now");
  }});
  for (int i = 0; i < 10; ++i) parent | add{i % 2 == 0 ? 1 : -1};
  require_idle(engine);
  CHECK(all.size() == 5);
  CHECK(all.restarts() == 5);
}

TEST_CASE("supervisor: a member of a router that fails is restarted, and stays a member", "[law8]") {
  TACT_FOR_EACH_WORKER_COUNT(workers);
  tact::engine engine(quiet_options(workers));
  tact::supervisor all(engine, {.restarts = 100});
  const std::vector<tact::ref<fragile_sum>> members{all.create(makes_sum()), all.create(makes_sum())};
  const auto routed = engine.create(tact::router<add>({members[0], members[1]}, tact::round_robin()));
  for (int i = 0; i < 10; ++i) {
    for (const auto m : members) m | trip{};
    require_idle(engine);
    for (int n = 0; n < 4; ++n) routed | add{1};
    require_idle(engine);
    for (const auto m : members) CHECK(engine.ask(m, total{}) == 2);
  }
  CHECK(all.restarts() == 20);
}

TEST_CASE("supervisor: it prints its tree", "[law8]") {
  tact::engine engine(quiet_options(1));
  tact::supervisor outer(engine, {.name = "market"});
  const auto a = outer.create(makes_sum(), tact::named("feed 1"), tact::permanent);
  tact::supervisor inner(engine, outer, {.strategy = restart_strategy::one_for_all, .within = 250ms, .name = "books"});
  static_cast<void>(inner.create(open_sum()));
  a | trip{};
  a | trip{};
  require_idle(engine);
  std::ostringstream text;
  text << outer;
  CHECK(text.str() ==
        "market [one for one, 3 within 5000 ms]: 2 restarts\n"
        "  feed 1 (permanent): 2 restarts, last failure: tripped\n"
        "  books [one for all, 3 within 250 ms]\n"
        "    fragile_sum (temporary)\n");
}

TEST_CASE("supervisor: it may grant as many restarts as there are numbers", "[law8]") {
  tact::engine engine(quiet_options(1));
  tact::supervisor all(engine, {.restarts = ~0U, .within = 1h});
  const auto a = all.create(makes_sum());
  for (int i = 0; i < 300; ++i) a | trip{};
  require_idle(engine);
  CHECK(all.restarts() == 300);
  CHECK(!all.has_failed());
}

TEST_CASE("supervisor: options that make no sense are refused", "[law8]") {
  tact::engine engine(quiet_options(1));
  CHECK_THROWS_AS(tact::supervisor(engine, {.within = 0s}), tact::usage_error);
  CHECK_THROWS_AS(tact::supervisor(engine, {.factor = 0.5}), tact::usage_error);
  CHECK_THROWS_AS(tact::supervisor(engine, {.jitter = 2}), tact::usage_error);
  CHECK_THROWS_AS(tact::supervisor(engine, {.first_delay = -1s}), tact::usage_error);
}

}  // namespace supervisor_test
