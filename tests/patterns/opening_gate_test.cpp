// tact::opening_gate: the first burst waits once and stays in order, whatever fails, and each request ends once.
#include "tact/patterns/opening_gate.hpp"
#include "patterns/relay.hpp"

namespace opening_gate_test {

namespace {

using namespace tact::patterns_tests;
using namespace std::chrono_literals;
using asks = tact::request<question>;

constexpr std::array mixed{fate::answers, fate::throws, fate::answers, fate::answers};

constexpr auto gathers = [](tact::engine& engine, tact::ref<asks> to) {
  return owned_relay(engine.create(tact::opening_gate(to, 10ms), tact::owned));
};

struct note {
  int number = 0;
  tracked instance{};
};
using numbers = std::vector<int>;

template <class Make>
void a_thread_sends(tact::simulation& sim, const trouble& t, const Make& make) {
  auto& engine = sim.engine(quiet_options(2));
  const auto all = std::make_shared<numbers>();
  const auto to = engine.create(tact::behavior<note>{[all](auto&, const note& m) { all->push_back(m.number); }});
  const auto gate = engine.create(make(to));
  t.begin();
  sim.start_thread([&engine, gate, t] {
    for (int i = 1; i <= 3; ++i) t.tries([&] { engine.send(gate, note{i}); });
  });
  sim.run();
  sim.check(all->empty(), "one passes before its time");
  sim.advance(10ms);
  const bool can_tell = t.has_come() || t.is_none();
  if (can_tell) engine.send(gate, note{4});
  sim.advance(10ms);
  sim.check(std::is_sorted(all->begin(), all->end()), "the order is lost");
  sim.check(all->size() == 4 || !t.is_none(), "a note is lost");
  sim.check(all->size() >= 3 || !can_tell, "more than one is lost");
  sim.end();
}

// Hears once that it is to open.
struct forgetful {
  using self_type = tact::self<tact::opening_gate_protocol<note>>;
  void operator()(self_type& self, const note& m) const {
    if (is_open) return self.send(to, m);
    auto more = waiting;
    more.push_back(m);
    if (waiting.empty()) self.send_after(10ms, self.ref(), tact::detail::gate_opens{});
    self.become(forgetful{to, more});
  }
  void operator()(self_type& self, const tact::detail::gate_opens&) const {
    for (const note& m : waiting) self.send(to, m);
    self.become(forgetful{to, {}, true});
  }
  void operator()(self_type&, const tact::failure&) const {}

  tact::ref<note> to;
  std::vector<note> waiting{};
  bool is_open = false;
};

}  // namespace

TEST_CASE("opening_gate: each customer is told once, whatever fails and whether or not the gate ends", "[law1][law8]") {
  const bool ends = GENERATE(false, true);
  require_whatever_fails([=](tact::simulation& sim, const trouble& t) {
    each_is_told_once(sim, t, {.relay_ends = ends, .fates = mixed}, gathers);
  });
}

TEST_CASE("opening_gate: it opens at its time and keeps the order, whichever run fails", "[law5][law8]") {
  require_whatever_fails([](tact::simulation& sim, const trouble& t) {
    a_thread_sends(sim, t, [](tact::ref<note> to) { return tact::opening_gate(to, 10ms); });
  });
}

TEST_CASE("opening_gate: one that stays shut when its run fails is found", "[law8]") {
  require_found_when_it_fails([](tact::simulation& sim, const trouble& t) {
    a_thread_sends(sim, t,
                   [](tact::ref<note> to) { return tact::behavior<tact::opening_gate_protocol<note>>(forgetful{to}); });
  });
}

TEST_CASE("opening_gate: what comes after it has opened passes at once", "[law5]") {
  const nothing_left left;
  tact::simulation sim(1);
  auto& engine = sim.engine(quiet_options(1));
  std::vector<std::pair<int, std::chrono::nanoseconds>> all;
  const auto to =
      engine.create(tact::behavior<note>{[&](auto&, const note& m) { all.emplace_back(m.number, sim.now()); }});
  const auto gate = engine.create(tact::opening_gate(to, 20ms));
  sim.advance(5ms);  // the time counts from the first message
  for (int i = 1; i <= 4; ++i) {
    engine.send(gate, note{i});
    sim.advance(8ms);
  }
  const std::vector<std::pair<int, std::chrono::nanoseconds>> expected{{1, 25ms}, {2, 25ms}, {3, 25ms}, {4, 29ms}};
  CHECK(all == expected);
}

TEST_CASE("opening_gate: requests of many threads are all answered", "[law4][law13]") {
  TACT_FOR_EACH_THREAD_COUNT(workers);
  const nothing_left left;
  tact::engine engine(quiet_options(workers));
  const auto asked = std::make_shared<std::atomic<int>>(0);
  const auto gate = engine.create(tact::opening_gate(tact::ref<asks>(engine.create(service(asked))), 1ms));
  std::atomic<int> wrong{0};
  on_threads(4, [&](unsigned thread) {
    for (int i = 0; i < scaled(200); ++i) {
      const int number = static_cast<int>(thread) * 1'000 + i;
      wrong += engine.ask(gate, question{.number = number}) == number ? 0 : 1;
    }
  });
  require_idle(engine);
  CHECK(wrong == 0);
}

}  // namespace opening_gate_test
