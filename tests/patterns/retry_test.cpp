// tact::retry: a request is asked again at the right times, and its customer is told once, whatever fails.
#include "tact/patterns/retry.hpp"
#include "patterns/relay.hpp"

namespace retry_test {

namespace {

using namespace tact::patterns_tests;
using namespace std::chrono_literals;
using asks = tact::request<question>;
using times = std::vector<std::chrono::nanoseconds>;

constexpr std::array mixed{fate::answers, fate::throws, fate::throws, fate::answers};

constexpr auto three_times = [](tact::engine& engine, tact::ref<asks> to) {
  return owned_relay(engine.create(tact::retry(to), tact::owned));
};

// Asks again at once, and forgets who had asked when the second attempt fails.
constexpr auto forgets = [](tact::engine& engine, tact::ref<asks> to) {
  return owned_relay(engine.create(tact::behavior<asks>{[to](tact::self<asks>& self, const asks& m) {
                                     self.ask(
                                         to, m.body, [c = m.customer](auto& tx, int answer) { tx.send(c, answer); },
                                         [to, m](tact::transaction& tx, const tact::failure&) {
                                           tx.ask(to, m.body,
                                                  [c = m.customer](auto& t, int answer) { t.send(c, answer); });
                                         });
                                     self.defer(m);
                                   }},
                                   tact::owned));
};

// Notes when it is asked, and answers from the nth time on.
tact::behavior<asks> answers_from(tact::simulation& sim, std::shared_ptr<times> asked, std::size_t nth) {
  return {[&sim, asked, nth](auto& self, const asks& m) {
    asked->push_back(sim.now());
    if (asked->size() < nth) throw std::runtime_error("not yet");
    self.reply(m, 42);
  }};
}

// When the attempts are made of a request that never succeeds.
times attempts(const tact::retry_options& options) {
  tact::simulation sim(1);
  auto& engine = sim.engine(quiet_options(1));
  const auto asked = std::make_shared<times>();
  const auto relay = engine.create(tact::retry(engine.create(answers_from(sim, asked, 1'000)), options));
  engine.send(relay, asks{});
  sim.advance(1h);
  return *asked;
}

}  // namespace

TEST_CASE("retry: each customer is told once, whatever fails and whether or not the relay ends", "[law1][law8]") {
  const bool ends = GENERATE(false, true);
  require_whatever_fails(
      [=](tact::simulation& sim, const trouble& t) {
        each_is_told_once(sim, t, {.relay_ends = ends, .fates = mixed}, three_times);
      },
      500, 10);
}

TEST_CASE("retry: one that forgets its customer is found", "[law8]") {
  require_found([](tact::simulation& sim, const trouble& t) { each_is_told_once(sim, t, {.fates = mixed}, forgets); });
}

TEST_CASE("retry: the delays grow by the factor up to the longest, less a random part", "[law12]") {
  CHECK(attempts({.attempts = 5, .first_delay = 10ms, .factor = 2, .delay_max = 35ms}) ==
        times{0ms, 10ms, 30ms, 65ms, 100ms});
  CHECK(attempts({.attempts = 3, .first_delay = 10ms, .factor = 1}) == times{0ms, 10ms, 20ms});
  CHECK(attempts({.attempts = 1}) == times{0ms});
  const auto a = attempts({.attempts = 20, .first_delay = 10ms, .factor = 1, .jitter = 0.5, .seed = 7});
  CHECK(a == attempts({.attempts = 20, .first_delay = 10ms, .factor = 1, .jitter = 0.5, .seed = 7}));
  CHECK(a != attempts({.attempts = 20, .first_delay = 10ms, .factor = 1, .jitter = 0.5, .seed = 8}));
  for (std::size_t i = 1; i < a.size(); ++i) {
    CHECK(a[i] - a[i - 1] >= 5ms);
    CHECK(a[i] - a[i - 1] <= 10ms);
  }
}

TEST_CASE("retry: the customer hears the answer of a later attempt, or the last failure and how often it was tried",
          "[law8]") {
  const nothing_left left;
  tact::simulation sim(1);
  auto& engine = sim.engine(quiet_options(1));
  const auto asked = std::make_shared<times>();
  const auto second = engine.create(tact::retry(engine.create(answers_from(sim, asked, 2))));
  CHECK(engine.ask(second, question{}) == 42);
  CHECK(asked->size() == 2);
  const auto never = engine.create(tact::retry(engine.create(answers_from(sim, asked, 1'000)), {.attempts = 4}));
  CHECK_THROWS_WITH(engine.ask(never, question{}), Catch::Contains("retry: after 4 attempts: not yet"));
  const auto picky = engine.create(tact::retry(
      engine.create(answers_from(sim, asked, 1'000)),
      {.is_worth_it = [](const tact::failure& f) { return f.reason != tact::failure_reason::handler_threw; }}));
  CHECK_THROWS_WITH(engine.ask(picky, question{}),
                    Catch::Contains("retry: after 1 attempt, not worth another: not yet"));
}

TEST_CASE("retry: there is no further attempt when the task is over or the budget is used up", "[law8]") {
  const nothing_left left;
  tact::simulation sim(1);
  auto& engine = sim.engine(quiet_options(1));
  const auto asked = std::make_shared<times>();
  const auto fails = engine.create(answers_from(sim, asked, 1'000));
  const auto relay = engine.create(tact::retry(fails, {.attempts = 100, .first_delay = 10ms, .factor = 1}));
  const tact::cancel_flag flag;
  tact::with_context(tact::context().with_flag(flag), [&] { engine.send(relay, asks{}); });
  sim.advance(25ms);
  flag.request_stop();
  sim.advance(1h);
  CHECK(asked->size() == 4);  // 0, 10, 20, 30 ms; the last had been arranged before
  asked->clear();
  const auto thrifty =
      engine.create(tact::retry(fails, {.attempts = 3, .first_delay = 1ms, .budget = 0.5, .reserve = 2}));
  for (int i = 0; i < 10; ++i) engine.send(thrifty, asks{});
  sim.advance(1h);
  CHECK(asked->size() == 12);  // the requests come at once, and save nothing beyond the reserve
  for (int i = 0; i < 4; ++i) {
    engine.send(thrifty, asks{});
    sim.advance(1h);
  }
  CHECK(asked->size() == 18);  // two requests save one retry
  CHECK_THROWS_AS(tact::retry(fails, {.attempts = 0}), tact::usage_error);
  CHECK_THROWS_AS(tact::retry(fails, {.jitter = 2}), tact::usage_error);
}

TEST_CASE("retry: of many requests from many threads each gets its own answer, though every third attempt fails",
          "[law4][law13]") {
  TACT_FOR_EACH_THREAD_COUNT(workers);
  const nothing_left left;
  tact::engine engine(quiet_options(workers));
  std::atomic<unsigned> asked{0};
  const auto fragile = engine.create(tact::behavior<asks>{[&](auto& self, const asks& m) {
    if (++asked % 3 == 0) throw std::runtime_error("now and then");
    self.reply(m, m.body.number);
  }});
  const auto relay = engine.create(
      tact::retry(fragile, {.attempts = 50, .first_delay = std::chrono::microseconds(10), .factor = 1, .jitter = 1}));
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

}  // namespace retry_test
