// Restarts in simulations: whatever order threads run in, whatever is thrown and whatever memory is refused, an actor
// is made anew and loses no message.
#include <functional>

#include "simulation/office.hpp"
#include "support/restarts.hpp"

namespace restart_test {

namespace {

using namespace tact::support;
using namespace std::chrono_literals;
using tact::failure_policy;
using tact::failure_report;
using tact::failure_rule;
using tact::failure_verdict;

enum class trouble : unsigned char { none, throws, no_memory };

failure_rule rule_of(unsigned kind) {
  return failure_rule([kind](const failure_report& r) {
    switch (kind) {
      case 0:
        return failure_verdict(failure_policy::restart);
      case 1:
        return failure_verdict(failure_policy::restart, 1ms, r.attempts < 3);
      case 2:
        return failure_verdict(failure_policy::go_on, 1ms, r.attempts < 3);
      default:
        return failure_verdict(r.attempts == 1 ? failure_policy::restart : failure_policy::go_on, 0s, r.attempts < 3);
    }
  });
}

// Two threads send to one actor of each kind, some of it trips, and a third one ends some of them and restarts others.
void mixed(tact::simulation& sim, unsigned kind, trouble what, std::uint64_t nth, bool& has_come) {
  auto& engine = sim.engine(quiet_options(3));
  std::vector<tact::ref<fragile_sum>> all;
  tact::scope group(engine);
  all = one_sum_of_each(group, rule_of(kind));
  if (what == trouble::throws) sim.throw_at(nth);
  if (what == trouble::no_memory) sim.fail_allocation(nth);
  const auto tries = [&sim, what](const std::function<void()>& f) {
    try {
      f();
    } catch (const std::bad_alloc&) {
      sim.check(what == trouble::no_memory, "memory was refused, but not by this test");
    }
  };
  for (int thread = 0; thread < 2; ++thread) {
    sim.start_thread([&all, tries] {
      for (const auto a : all) {
        tries([a] { a | add{1}; });
        tries([a] { a | trip{}; });
        tries([a] { a | add{-1}; });
      }
    });
  }
  sim.start_thread([&all] {
    for (const auto a : all) tact::detail::order_restart(tact::detail::access::port_of(a), 0ns);
    tact::detail::order_end(tact::detail::access::port_of(all[1]), tact::end_reason::scope_ended);
    tact::detail::order_end(tact::detail::access::port_of(all[4]), tact::end_reason::scope_ended);
  });
  sim.run();
  sim.advance(1s);
  const auto s = engine.statistics();
  sim.check(s.in_flight() == 0, "something is in flight");
  sim.check(s.messages_sent == s.commits + s.failures + s.dead_letters, "a message is not accounted for");
  if (what == trouble::none) sim.check(s.actors_alive == 3, "an actor has ended that should live");
  has_come = has_come || sim.has_thrown() || sim.has_failed_allocation();
}

// What a thread sends behind a message that is handled again is handled behind it, in order.
void kept_in_order(tact::simulation& sim, unsigned kind) {
  auto& engine = sim.engine(quiet_options(3));
  std::string order;
  int calls = 0;
  const tact::restarting makes([&] {
    return tact::behavior<add>{[&](auto&, const add& m) {
      if (m.n == 1 && ++calls < 3) throw std::runtime_error("not yet");
      order += std::to_string(m.n);
    }};
  });
  const auto a = engine.create(makes, rule_of(kind));
  sim.start_thread([a] {
    for (int i = 0; i < 5; ++i) a | add{i};
  });
  sim.run();
  sim.advance(1s);
  sim.check(order == "01234", "the order was " + order);
}

// Two make what cannot be shared; the actor that is made anew must have destroyed its first one.
void made_one_at_a_time(tact::simulation& sim, bool parallel) {
  auto& engine = sim.engine(quiet_options(3));
  const long before = tracked::alive;
  long most = 0;
  const tact::restarting makes([&most, before] {
    most = std::max(most, tracked::alive - before);
    return open_sum();
  });
  const failure_rule rule(failure_policy::restart);
  const auto a = parallel ? engine.create(makes, rule, tact::parallel) : engine.create(makes, rule);
  for (int thread = 0; thread < 2; ++thread) sim.start_thread([a] { a | trip{}; });
  sim.run();
  sim.check(most == 0, "the old behaviour lived when the new one was made");
}

}  // namespace

TEST_CASE("restart: in every order each message is handled, has failed or is a dead letter, whatever fails",
          "[law4][law8]") {
  const auto kind = GENERATE(range(0u, 4u));
  bool has_come = false;
  tact::simulated_tests::require_in_every_order(
      300, [&](tact::simulation& sim) { mixed(sim, kind, trouble::none, 0, has_come); });
  for (const auto what : {trouble::throws, trouble::no_memory}) {
    std::uint64_t nth = 0;
    do {
      has_come = false;
      ++nth;
      tact::simulated_tests::require_in_every_order(
          20, [&](tact::simulation& sim) { mixed(sim, kind, what, nth, has_come); });
    } while (has_come);
    CHECK(nth > 5);
  }
}

TEST_CASE("restart: in every order a message that is handled again is handled before those behind it", "[law5][law8]") {
  const auto kind = GENERATE(1u, 2u, 3u);
  tact::simulated_tests::require_in_every_order(1'000, [kind](tact::simulation& sim) { kept_in_order(sim, kind); });
}

TEST_CASE("restart: a parallel actor that is to go on behind a rest goes on at once, and is not made anew", "[law8]") {
  tact::simulated_tests::require_in_every_order(100, [](tact::simulation& sim) {
    auto& engine = sim.engine(quiet_options(3));
    const auto a = engine.create(tact::restarting([] { return open_sum(); }), rule_of(2), tact::parallel);
    a | add{1};
    sim.run();
    sim.start_thread([a] { a | trip{}; });
    sim.run();
    sim.advance(10ms);
    long sum = 0;
    sim.start_thread([&] { sum = engine.ask(a, total{}); });
    sim.run();
    sim.check(sum == 1, "its state is gone");
    sim.check(engine.statistics().restarts == 0, "it was made anew");
  });
}

TEST_CASE("restart: in every order an exclusive actor's old behaviour is gone before the new one is made", "[law8]") {
  tact::simulated_tests::require_in_every_order(500, [](tact::simulation& sim) { made_one_at_a_time(sim, false); });
  const auto e = tact::explore(100, [](tact::simulation& sim) { made_one_at_a_time(sim, true); }, {.prints = false});
  CHECK(e.failed);  // a parallel actor's is replaced by the new one
}

}  // namespace restart_test
