// tact::throttle: no more goes on than its rate allows, all of it in order, and each request ends once.
#include "tact/patterns/throttle.hpp"
#include "patterns/relay.hpp"

namespace throttle_test {

namespace {

using namespace tact::patterns_tests;
using namespace std::chrono_literals;
using asks = tact::request<question>;

constexpr std::array mixed{fate::answers, fate::throws, fate::answers, fate::answers};

constexpr auto slow = [](tact::engine& engine, tact::ref<asks> to) {
  return owned_relay(engine.create(tact::throttle(to, {.messages = 1, .per = 10ms, .burst = 1}), tact::owned));
};

struct note {
  int number = 0;
  tracked instance{};
};
struct arrival {
  int number;
  std::chrono::nanoseconds time;
  friend bool operator==(const arrival&, const arrival&) = default;
};
using arrivals = std::vector<arrival>;

tact::behavior<note> notes_times(tact::simulation& sim, const std::shared_ptr<arrivals>& all) {
  return {[&sim, all](auto&, const note& m) { all->push_back({m.number, sim.now()}); }};
}

// Whatever fails, nothing overtakes, nothing comes too early, and nothing waits for ever.
template <class Make>
void a_thread_sends(tact::simulation& sim, const trouble& t, const Make& make) {
  auto& engine = sim.engine(quiet_options(2));
  const auto all = std::make_shared<arrivals>();
  const auto relay = engine.create(make(engine.create(notes_times(sim, all))));
  t.begin();
  sim.start_thread([&engine, relay, t] {
    for (int i = 1; i <= 4; ++i) t.tries([&] { engine.send(relay, note{i}); });
  });
  sim.run();
  sim.advance(1s);
  const bool can_tell = t.has_come() || t.is_none();
  if (can_tell) engine.send(relay, note{5});
  sim.advance(1s);
  for (std::size_t i = 1; i < all->size(); ++i) {
    sim.check((*all)[i].number > (*all)[i - 1].number, "one has overtaken another");
    sim.check((*all)[i].time - (*all)[i - 1].time >= 10ms, "two came too fast");
  }
  sim.check(all->size() >= 4 || !can_tell, "more than one is lost");
  sim.check(all->size() == 5 || !t.is_none(), "one is lost, and nothing has failed");
  sim.check(!can_tell || (!all->empty() && all->back().number == 5), "it passes nothing on any more");
  sim.end();
}

constexpr auto one_in_ten_ms = [](tact::ref<note> to) { return tact::throttle(to, {.messages = 100}); };

// Has a timer go off for the first that waits, and hears of it once at most.
struct forgetful {
  using self_type = tact::self<tact::throttle_protocol<note>>;
  void operator()(self_type& self, const note& m) const {
    auto more = waiting;
    more.push_back(m);
    if (waiting.empty()) self.send_after(10ms, self.ref(), tact::detail::token_has_come{});
    self.become(forgetful{to, more});
  }
  void operator()(self_type& self, const tact::detail::token_has_come&) const {
    self.send(to, waiting.front());
    if (waiting.size() > 1) self.send_after(10ms, self.ref(), tact::detail::token_has_come{});
    self.become(forgetful{to, std::vector<note>(waiting.begin() + 1, waiting.end())});
  }
  void operator()(self_type&, const tact::failure&) const {}

  tact::ref<note> to;
  std::vector<note> waiting{};
};

}  // namespace

TEST_CASE("throttle: each customer is told once, whatever fails and whether or not the throttle ends", "[law1][law8]") {
  const bool ends = GENERATE(false, true);
  require_whatever_fails([=](tact::simulation& sim, const trouble& t) {
    each_is_told_once(sim, t, {.relay_ends = ends, .fates = mixed}, slow);
  });
}

TEST_CASE("throttle: what waits goes on in order and not too fast, whichever run fails", "[law5][law8]") {
  require_whatever_fails([](tact::simulation& sim, const trouble& t) { a_thread_sends(sim, t, one_in_ten_ms); });
}

TEST_CASE("throttle: one that hears of its timer once only is found", "[law8]") {
  require_found_when_it_fails([](tact::simulation& sim, const trouble& t) {
    a_thread_sends(sim, t,
                   [](tact::ref<note> to) { return tact::behavior<tact::throttle_protocol<note>>(forgetful{to}); });
  });
}

TEST_CASE("throttle: a burst goes at once, then one for each token, and pauses fill the bucket again", "[law5]") {
  const nothing_left left;
  tact::simulation sim(1);
  auto& engine = sim.engine(quiet_options(1));
  const auto all = std::make_shared<arrivals>();
  const auto relay = engine.create(
      tact::throttle(engine.create(notes_times(sim, all)), {.messages = 100, .per = 1s, .burst = 3, .waiting_max = 2}));
  for (int i = 1; i <= 7; ++i) engine.send(relay, note{i});
  sim.advance(15ms);
  CHECK(engine.statistics().dead_letters == 2);  // six and seven
  engine.send(relay, note{8});
  sim.advance(1s);
  for (int i = 9; i <= 12; ++i) engine.send(relay, note{i});
  sim.advance(1s);
  CHECK(*all == arrivals{{1, 0ms},
                         {2, 0ms},
                         {3, 0ms},
                         {4, 10ms},
                         {5, 20ms},
                         {8, 30ms},
                         {9, 1015ms},
                         {10, 1015ms},
                         {11, 1015ms},
                         {12, 1025ms}});
}

TEST_CASE("throttle: a request that is one too many fails with mailbox_full", "[law8]") {
  const nothing_left left;
  tact::simulation sim(1);
  auto& engine = sim.engine(quiet_options(1));
  const auto asked = std::make_shared<std::atomic<int>>(0);
  const auto to = engine.create(service(asked));
  const auto relay = engine.create(tact::throttle(to, {.waiting_max = 1}));
  std::array<std::shared_ptr<told>, 3> all;
  for (auto& what : all) engine.send(relay, asks{engine.create(hears(what = std::make_shared<told>())), {}});
  sim.advance(1min);
  CHECK(all[0]->answers == 1);
  CHECK(all[1]->answers == 1);
  CHECK(all[2]->failures == 1);
  CHECK(all[2]->reason == tact::failure_reason::mailbox_full);
  CHECK_THROWS_AS(tact::throttle(to, {.messages = 0}), tact::usage_error);
}

TEST_CASE("throttle: requests of many threads are all answered", "[law4][law13]") {
  TACT_FOR_EACH_THREAD_COUNT(workers);
  const bool parallel = GENERATE(false, true);
  const nothing_left left;
  tact::engine engine(quiet_options(workers));
  const auto asked = std::make_shared<std::atomic<int>>(0);
  auto b =
      tact::throttle(tact::ref<asks>(engine.create(service(asked))), {.messages = 1'000'000, .per = 1s, .burst = 2});
  const auto relay = parallel ? engine.create(std::move(b), tact::parallel) : engine.create(std::move(b));
  std::atomic<int> wrong{0};
  on_threads(4, [&](unsigned thread) {
    for (int i = 0; i < scaled(200); ++i) {
      const int number = static_cast<int>(thread) * 1'000 + i;
      wrong += engine.ask(relay, question{.number = number}) == number ? 0 : 1;
    }
  });
  require_idle(engine);
  CHECK(wrong == 0);
}

}  // namespace throttle_test
