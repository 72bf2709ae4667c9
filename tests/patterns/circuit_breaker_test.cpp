// tact::circuit_breaker: it opens, tries and closes as it says, and each customer is told once, whatever fails.
#include "tact/patterns/circuit_breaker.hpp"
#include "patterns/relay.hpp"
#include "tact/patterns/retry.hpp"
#include "tact/patterns/timeout.hpp"

namespace circuit_breaker_test {

namespace {

using namespace tact::patterns_tests;
using namespace std::chrono_literals;
using asks = tact::request<question>;

constexpr std::array mixed{fate::throws, fate::throws, fate::throws, fate::answers};

// Does not open, because one of the customers is to be answered in any case.
constexpr auto breaks = [](tact::engine& engine, tact::ref<asks> to) {
  return owned_relay(engine.create(tact::circuit_breaker(to, {.failures = 4, .window = 4}), tact::owned));
};

// As the breaker asks its service, in one state: closed, open, or half open.
struct model {
  bool broken = true;
  int asked = 0;
};
tact::behavior<asks> fails_while_broken(const std::shared_ptr<model>& m) {
  return {[m](auto& self, const asks& q) {
    ++m->asked;
    if (m->broken) throw std::runtime_error("broken");
    self.reply(q, 1);
  }};
}
// True: it was answered. Else the text of the failure has `text`.
bool is_answered(tact::engine& engine, tact::ref<asks> to, const char* text) {
  try {
    const bool is_answered = engine.ask(to, question{}) == 1;
    require_idle(engine);  // the breaker may hear of an answer after the customer
    return is_answered;
  } catch (const tact::ask_error& e) {
    CHECK_THAT(e.what(), Catch::Contains(text));
    require_idle(engine);
    return false;
  }
}

// Whichever run fails or gets no memory while it is on trial, a breaker closes when its service works again.
template <class Make>
void it_closes_again(tact::simulation& sim, const trouble& t, const Make& make) {
  auto& engine = sim.engine(quiet_options(2));
  const auto m = std::make_shared<model>();
  const auto breaker = engine.create(make(engine.create(fails_while_broken(m))));
  const auto ask = [&] {
    try {
      return engine.ask(breaker, question{}) == 1;
    } catch (const tact::ask_error&) {
      return false;
    } catch (const std::bad_alloc&) {
      return false;
    }
  };
  for (int i = 0; i < 2; ++i) ask();
  m->broken = false;
  sim.advance(1s);
  t.begin();
  for (int i = 0; i < 2; ++i) sim.start_thread([&] { ask(); });
  sim.run();
  const int before = m->asked;
  sim.check(before <= 4, "two are on trial at the same time");
  if (t.has_come() || t.is_none()) {
    sim.advance(1s);
    ask();
    sim.run();  // the breaker may hear of an answer after the customer
    for (int i = 0; i < 3; ++i) sim.check(ask(), "it does not close again");
  }
  sim.end();
}

constexpr auto opens_after_two = [](tact::ref<asks> to) {
  return tact::circuit_breaker(to, {.failures = 2, .window = 2, .open_time = 1s});
};

// Half open until its trial is told, and for ever when that is lost.
struct stuck {
  using self_type = tact::self<tact::circuit_breaker_protocol<question>>;
  void operator()(self_type& self, const asks& m) const {
    if (is_trying) throw std::runtime_error("on trial");
    const auto tell = [gate = self.ref()](tact::transaction& tx, bool failed) {
      tx.send(gate, tact::detail::request_ended{failed, 0});
    };
    self.ask(
        to, m.body,
        [tell, c = m.customer](tact::transaction& tx, int answer) {
          tx.send(c, answer);
          tell(tx, false);
        },
        [tell, c = m.customer](tact::transaction& tx, const tact::failure& f) {
          tx.fail(c, f);
          tell(tx, true);
        });
    self.defer(m);
    self.become(stuck{to, true});
  }
  void operator()(self_type& self, const tact::detail::request_ended&) const { self.become(stuck{to, false}); }

  tact::ref<asks> to;
  bool is_trying = false;
};

}  // namespace

TEST_CASE("circuit_breaker: each customer is told once, whatever fails and whether or not it ends", "[law1][law8]") {
  const bool ends = GENERATE(false, true);
  require_whatever_fails([=](tact::simulation& sim, const trouble& t) {
    each_is_told_once(sim, t, {.relay_ends = ends, .fates = mixed}, breaks);
  });
}

TEST_CASE("circuit_breaker: one trial at a time, and whatever is lost it closes again", "[law7][law8]") {
  require_whatever_fails([](tact::simulation& sim, const trouble& t) { it_closes_again(sim, t, opens_after_two); });
}

TEST_CASE("circuit_breaker: one that waits for ever for its trial is found", "[law8]") {
  require_found_when_it_fails([](tact::simulation& sim, const trouble& t) {
    it_closes_again(
        sim, t, [](tact::ref<asks> to) { return tact::behavior<tact::circuit_breaker_protocol<question>>(stuck{to}); });
  });
}

TEST_CASE("circuit_breaker: it opens after so many failures of the last ones, and tries again after its time",
          "[law8]") {
  const nothing_left left;
  tact::simulation sim(1);
  auto& engine = sim.engine(quiet_options(1));
  const auto m = std::make_shared<model>();
  const auto service = engine.create(fails_while_broken(m));
  const auto breaker = engine.create(tact::circuit_breaker(service, {.failures = 3, .window = 4, .open_time = 1s}));
  for (const bool broken : {true, true, false, true}) {
    m->broken = broken;
    CHECK(is_answered(engine, breaker, "broken") != broken);
  }
  CHECK(m->asked == 4);
  sim.advance(999ms);
  CHECK_FALSE(is_answered(engine, breaker, "circuit breaker: open"));
  CHECK(m->asked == 4);
  sim.advance(1ms);
  CHECK_FALSE(is_answered(engine, breaker, "broken"));  // the trial
  CHECK(m->asked == 5);
  CHECK_FALSE(is_answered(engine, breaker, "circuit breaker: open"));
  m->broken = false;
  sim.advance(1s);
  CHECK(is_answered(engine, breaker, ""));
  m->broken = true;
  CHECK_FALSE(is_answered(engine, breaker, "broken"));
  CHECK_FALSE(is_answered(engine, breaker, "broken"));
  CHECK_FALSE(is_answered(engine, breaker, "broken"));
  CHECK_FALSE(is_answered(engine, breaker, "circuit breaker: open"));
  CHECK_THROWS_AS(tact::circuit_breaker(service, {.failures = 5, .window = 4}), tact::usage_error);
  CHECK_THROWS_AS(tact::circuit_breaker(service, {.failures = 5, .window = 65}), tact::usage_error);
}

TEST_CASE("circuit_breaker: what comes late of a request from before it opened does not count", "[law8]") {
  const nothing_left left;
  tact::simulation sim(1);
  auto& engine = sim.engine(quiet_options(1));
  std::vector<tact::ref<int>> waiting;
  const auto service = engine.create(tact::behavior<asks>{[&](auto& self, const asks& m) {
    self.defer(m);
    waiting.push_back(m.customer);
  }});
  const auto breaker = engine.create(tact::circuit_breaker(service, {.failures = 1, .window = 1, .open_time = 1s}));
  const auto what = std::make_shared<told>();
  const auto customer = engine.create(hears(what));
  const auto ask = [&] {
    engine.send(breaker, asks{customer, {}});
    sim.run();
  };
  const auto fail = [&](std::size_t i) {
    engine.send(tact::detail::access::make_ref<tact::failure>(tact::detail::access::port_of(waiting[i])),
                tact::failure{});
    sim.run();
  };
  ask();
  ask();
  ask();
  fail(0);  // opens it
  sim.advance(1s);
  fail(1);  // before the trial
  ask();
  CHECK(waiting.size() == 4);
  engine.send(waiting[3], 1);  // the trial
  sim.run();
  fail(2);
  ask();
  CHECK(waiting.size() == 5);
  CHECK(what->failures == 3);
}

TEST_CASE("circuit_breaker: retry, breaker and timeout compose, and many threads are answered", "[law4][law13]") {
  TACT_FOR_EACH_THREAD_COUNT(workers);
  const nothing_left left;
  tact::engine engine(quiet_options(workers));
  std::atomic<unsigned> asked{0};
  const tact::ref<asks> fragile = engine.create(tact::behavior<asks>{[&](auto& self, const asks& m) {
    if (++asked % 3 == 0) throw std::runtime_error("now and then");
    self.reply(m, m.body.number);
  }});
  const tact::ref<asks> limited = engine.create(tact::timeout(fragile, 1h));
  const tact::ref<asks> breaker = engine.create(tact::circuit_breaker(limited, {.failures = 60, .window = 64}));
  const tact::ref<asks> relay =
      engine.create(tact::retry(breaker, {.attempts = 100, .first_delay = std::chrono::microseconds(1)}));
  std::atomic<int> wrong{0};
  on_threads(4, [&](unsigned thread) {
    for (int i = 0; i < scaled(100); ++i) {
      const int number = static_cast<int>(thread) * 1'000 + i;
      wrong += engine.ask(relay, question{.number = number}) == number ? 0 : 1;
    }
  });
  require_idle(engine);
  CHECK(wrong == 0);
}

}  // namespace circuit_breaker_test
