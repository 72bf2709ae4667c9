// Mailboxes with limits in simulations: what they promise holds in every order.
#include "simulation/office.hpp"

namespace pressure_test {

namespace {

using namespace tact::simulated_tests;
using tact::mailbox_limit;
using tact::when_full;

struct note {
  int number;
};
struct desk : tact::protocol<note> {};
tact::behavior<desk> open_desk(int& handled, tracked kept = {}) {
  return {[&handled, kept](auto&, const note&) { ++handled; }};
}

// Sends two notes, and becomes each time, so that its runs collide.
struct clerk : tact::protocol<note> {};
tact::behavior<clerk> open_clerk(tact::ref<desk> to) {
  return {[to](tact::self<clerk>& self, const note& m) {
    self.send(to, m);
    self.send(to, m);
    self.become(open_clerk(to));
  }};
}

void check_accounted(tact::simulation& sim, int handled, int sent) {
  auto& engine = sim.engine();
  const tact::statistics s = engine.statistics();
  sim.check(s.in_flight() == 0, "something is in flight");
  sim.check(s.messages_sent == s.commits + s.failures + s.dead_letters, "a message is not accounted for");
  sim.check(handled + static_cast<int>(s.dead_letters) == sent, "a note was lost uncounted, or counted twice");
  for (const auto& d : engine.fullest_mailboxes()) sim.check(d.messages == 0 && d.bytes == 0, "the count has drifted");
}

constexpr when_full policies[] = {when_full::reject, when_full::drop_newest, when_full::drop_oldest,
                                  when_full::hold_back};

// Two threads and a clerk send to a desk with little room.
void work_under_pressure(tact::simulation& sim, when_full policy, bool desk_ends) {
  int handled = 0;
  auto options = quiet_options(2);
  options.outside_limit = {.messages = 3, .when_full = when_full::hold_back};
  auto& engine = sim.engine(options);
  const mailbox_limit limit{.messages = 2, .when_full = policy};
  auto last_owner = engine.create(open_desk(handled), limit, tact::owned, tact::parallel);
  const auto to = last_owner.ref();
  const auto c = engine.create(open_clerk(to), tact::parallel);
  for (int thread = 0; thread < 2; ++thread) {
    sim.start_thread([&engine, to, c] {
      for (int i = 0; i < 4; ++i) {
        engine.send(to, note{i});
        engine.send(c, note{i});
      }
    });
  }
  if (desk_ends) {
    last_owner = {};
    // Another one in its place, perhaps in its cell.
    engine.send(engine.create(open_desk(handled), limit, tact::parallel), note{0});
  }
  sim.run();
  engine.wait_idle();
  check_accounted(sim, handled, desk_ends ? 2 * 4 * 3 + 1 : 2 * 4 * 3);
  const bool loses = policy != when_full::hold_back || desk_ends;
  sim.check(loses || handled == 2 * 4 * 3, "a note was lost where threads are held back");
}

}  // namespace

TEST_CASE("simulation: under pressure every note is handled or counted as lost, in every order", "[law1][law4]") {
  for (const when_full policy : policies) {
    require_in_every_order(800, [policy](tact::simulation& sim) { work_under_pressure(sim, policy, false); });
  }
}

TEST_CASE("simulation: an actor that ends under pressure leaves nothing to the next one, in every order", "[law13]") {
  for (const when_full policy : policies) {
    require_in_every_order(800, [policy](tact::simulation& sim) { work_under_pressure(sim, policy, true); });
  }
}

TEST_CASE("simulation: threads that are held back hear of the engine's end in every order", "[law11]") {
  require_in_every_order(800, [](tact::simulation& sim) {
    int handled = 0;
    auto& engine = sim.engine(quiet_options(1));
    const auto to = engine.create(open_desk(handled), mailbox_limit{.messages = 1, .when_full = when_full::hold_back},
                                  tact::parallel);
    int over = 0;
    for (int thread = 0; thread < 2; ++thread) {
      sim.start_thread([&] {
        for (int i = 0; i < 3; ++i) engine.send(to, note{i});
        ++over;
      });
    }
    sim.start_thread([&] { engine.cancel(); });
    sim.run();
    sim.check(over == 2, "a thread is held back for ever");
    check_accounted(sim, handled, 6);
  });
}

}  // namespace pressure_test
