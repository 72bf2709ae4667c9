// Poison pills in simulations: whatever the schedule, an actor ends once, behind what the pill's sender sent before it.
#include "simulation/office.hpp"

namespace poison_pill_test {

namespace {

using namespace tact::simulated_tests;
using tact::poison_pill;

struct add {
  int n;
};
struct desk : tact::protocol<add, tact::request<balance>, poison_pill> {};

// The sum is counted where each note takes effect, once.
tact::behavior<desk> open_desk(int& handled, int sum = 0, tracked kept = {}) {
  return {[&handled, sum, kept](tact::self<desk>& self, const add& m) {
            self.on_commit([&handled, n = m.n] { handled += n; });
            self.become(open_desk(handled, sum + m.n, kept));
          },
          [sum](auto& self, const tact::request<balance>& m) { self.reply(m, sum); }};
}

struct watcher : tact::protocol<tact::ended> {};

// Two threads send, one of them the pill; a third one asks. All of them hear how it ended.
template <class... Where>
void play(tact::simulation& sim, Where... where) {
  constexpr bool is_parallel = (std::is_same_v<Where, tact::parallel_t> || ...);  // then what is sent has no order
  int handled = 0;
  int told = 0;
  tact::engine engine(quiet_options(2));
  const auto a = engine.create(open_desk(handled), where...);
  const auto w = engine.create(tact::behavior<watcher>{[&](auto&, const tact::ended& e) {
    ++told;
    sim.check(e.reason == tact::end_reason::stopped && e.what == "closed", "the watcher was told another reason");
  }});
  static_cast<void>(engine.monitor(a, w));
  sim.start_thread([a] { a | add{1} | add{10} | tact::finished_msg.because("closed") | add{100}; });
  sim.start_thread([a] { a | add{1'000} | add{10'000}; });
  sim.start_thread([&, a] {
    try {
      const long sum = engine.ask(a, balance{});
      sim.check(is_parallel || sum % 1'000 / 100 == 0, "what came behind the pill was handled");
    } catch (const tact::ask_error& e) {
      sim.check(e.reason() == tact::failure_reason::target_ended, "the ask failed for another reason");
    }
  });
  sim.run();
  engine.wait_idle();
  const auto s = engine.statistics();
  sim.check(s.actors_alive == 1, "the actor lives on");
  sim.check(told == 1, "the watcher was not told once");
  sim.check(s.messages_sent == s.commits + s.failures + s.dead_letters, "a message is not accounted for");
  if constexpr (!is_parallel) sim.check(handled % 1'000 == 11, "the pill was too early or too late");
}

}  // namespace

TEST_CASE("poison pill: whatever the schedule, the actor ends once, behind what was sent before", "[law4][law5]") {
  require_in_every_order(300, [](tact::simulation& sim) { play(sim); });
  require_in_every_order(300, [](tact::simulation& sim) { play(sim, tact::parallel); });
  require_in_every_order(100, [](tact::simulation& sim) { play(sim, tact::heavy); });
  require_in_every_order(100, [](tact::simulation& sim) { play(sim, tact::blocking); });
  const tact::mailbox_limit tight{.messages = 2, .when_full = tact::when_full::hold_back};
  require_in_every_order(300, [=](tact::simulation& sim) { play(sim, tight); });
}

TEST_CASE("poison pill: whichever piece of memory is refused, the actor ends", "[law8]") {
  std::uint64_t nth = 0;
  require_in_every_order(300, [&nth](tact::simulation& sim) {
    int handled = 0;
    tact::engine engine(quiet_options(1));
    const auto a = engine.create(open_desk(handled));
    const auto pill = tact::finished_msg.because("closed, for a reason that does not fit into a short string");
    sim.fail_allocation(1 + nth++ % 20);
    bool sent = false;
    while (!sent) {
      try {
        a | pill;
        sent = true;
      } catch (const std::bad_alloc&) {
        sim.check(engine.statistics().actors_alive == 1, "a pill that was not sent has ended the actor");
      }
    }
    engine.wait_idle();
    sim.check(engine.statistics().actors_alive == 0, "the actor lives on");
  });
}

}  // namespace poison_pill_test
