// tact::debounce: the last message goes on when it has been quiet, whatever fails.
#include "tact/patterns/debounce.hpp"
#include "patterns/trouble.hpp"

namespace debounce_test {

namespace {

using namespace tact::patterns_tests;
using namespace std::chrono_literals;

struct note {
  int number = 0;
  tracked instance{};
};
using numbers = std::vector<int>;

tact::behavior<note> notes(const std::shared_ptr<numbers>& all) {
  return {[all](auto&, const note& m) { all->push_back(m.number); }};
}

template <class Make>
void a_thread_sends(tact::simulation& sim, const trouble& t, const Make& make) {
  auto& engine = sim.engine(quiet_options(2));
  const auto all = std::make_shared<numbers>();
  const auto relay = engine.create(make(engine.create(notes(all))));
  t.begin();
  for (int i = 1; i <= 3; ++i) {
    t.tries([&] { engine.send(relay, note{i}); });
    sim.advance(6ms);
  }
  sim.advance(20ms);
  sim.check(*all == numbers{3} || !t.is_none(), "not the last one, or not once");
  sim.check(std::is_sorted(all->begin(), all->end()) && std::adjacent_find(all->begin(), all->end()) == all->end(),
            "one passes twice, or late");
  if (t.has_come() || t.is_none()) {
    const auto before = all->size();
    engine.send(relay, note{4});
    sim.advance(20ms);
    sim.check(all->size() == before + 1 && all->back() == 4, "nothing passes any more");
  }
  sim.end();
}

// Cancels no timer, and does not know them apart.
struct hasty {
  using self_type = tact::self<tact::debounce_protocol<note>>;
  void operator()(self_type& self, const note& m) const {
    self.send_after(10ms, self.ref(), tact::detail::may_be_quiet{});
    self.become(hasty{to, m});
  }
  void operator()(self_type& self, const tact::detail::may_be_quiet&) const {
    if (last.number != 0) self.send(to, last);
    self.become(hasty{to});
  }
  void operator()(self_type&, const tact::failure&) const {}

  tact::ref<note> to;
  note last{};
};

}  // namespace

TEST_CASE("debounce: only the last message passes when it is quiet, and no failure stops it", "[law1][law8]") {
  require_whatever_fails([](tact::simulation& sim, const trouble& t) {
    a_thread_sends(sim, t, [](tact::ref<note> to) { return tact::debounce(to, 10ms); });
  });
}

TEST_CASE("debounce: one that takes an old timer for its own is found", "[law8]") {
  require_found([](tact::simulation& sim, const trouble& t) {
    a_thread_sends(sim, t, [](tact::ref<note> to) { return tact::behavior<tact::debounce_protocol<note>>(hasty{to}); });
  });
}

TEST_CASE("debounce: the quiet time counts from the last message, and a long burst needs few timers", "[law10]") {
  const nothing_left left;
  tact::simulation sim(1);
  auto& engine = sim.engine(quiet_options(1));
  const auto all = std::make_shared<numbers>();
  const auto relay = engine.create(tact::debounce(engine.create(notes(all)), 10ms));
  for (int i = 1; i <= 100; ++i) {
    engine.send(relay, note{i});
    sim.advance(1ms);
  }
  CHECK(all->empty());
  CHECK(engine.statistics().messages_sent < 100 + 15);
  sim.advance(8ms);
  CHECK(all->empty());
  sim.advance(1ms);
  CHECK(*all == numbers{100});
}

TEST_CASE("debounce: of what many threads send the last passes", "[law4][law13]") {
  TACT_FOR_EACH_THREAD_COUNT(workers);
  const nothing_left left;
  tact::engine engine(quiet_options(workers));
  constexpr int each = 100;
  door passed;
  const auto to = engine.create(tact::behavior<note>{[&](auto&, const note& m) {
    if (m.number % each == each - 1) passed.open();  // the last of some thread, and so the last of all in the end
  }});
  const auto relay = engine.create(tact::debounce(to, 5ms));
  on_threads(4, [&](unsigned thread) {
    for (int i = 0; i < each; ++i) engine.send(relay, note{static_cast<int>(thread) * each + i});
  });
  CHECK(passed.pass());
  require_idle(engine);
}

}  // namespace debounce_test
