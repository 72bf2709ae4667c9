// tact::timeout: each request is answered within the limit or fails, once, whatever fails.
#include "tact/patterns/timeout.hpp"
#include "patterns/relay.hpp"

namespace timeout_test {

namespace {

using namespace tact::patterns_tests;
using namespace std::chrono_literals;
using asks = tact::request<question>;

constexpr std::array mixed{fate::answers, fate::is_silent, fate::throws, fate::answers};

constexpr auto with_limit = [](tact::engine& engine, tact::ref<asks> to) {
  return owned_relay(engine.create(tact::timeout(to, 50ms), tact::owned));
};

// Answers by a timer of its own, whether or not the service has answered.
constexpr auto two_answers = [](tact::engine& engine, tact::ref<asks> to) {
  return owned_relay(engine.create(
      tact::behavior<asks>{[to](tact::self<asks>& self, const asks& m) {
        const tact::failure late{tact::failure_reason::timed_out, {}};
        self.send_after(
            50ms,
            tact::ref<tact::failure>(self.beta([c = m.customer](auto& tx, const tact::failure& f) { tx.fail(c, f); })),
            late);
        self.pass_on(to, m);
      }},
      tact::owned));
};

}  // namespace

TEST_CASE("timeout: each customer is told once, whatever fails and whether or not the relay ends", "[law1][law8]") {
  const bool ends = GENERATE(false, true);
  require_whatever_fails([=](tact::simulation& sim, const trouble& t) {
    each_is_told_once(sim, t, {.relay_ends = ends, .fates = mixed}, with_limit);
  });
}

TEST_CASE("timeout: one that tells its customer both the answer and the limit is found", "[law8]") {
  require_found(
      [](tact::simulation& sim, const trouble& t) { each_is_told_once(sim, t, {.fates = mixed}, two_answers); });
}

TEST_CASE("timeout: a request fails at its limit, not before, and an answer after that is a dead letter", "[law8]") {
  const nothing_left left;
  tact::simulation sim(1);
  auto& engine = sim.engine(quiet_options(1));
  tact::ref<int> waiting;
  const auto late = engine.create(tact::behavior<asks>{[&](auto& self, const asks& m) {
    self.defer(m);
    waiting = m.customer;
  }});
  const auto relay = engine.create(tact::timeout(late, 50ms));
  const auto what = std::make_shared<told>();
  engine.send(relay, asks{engine.create(hears(what)), {}});
  sim.advance(49ms);
  CHECK(what->failures == 0);
  sim.advance(1ms);
  CHECK(what->failures == 1);
  CHECK(what->reason == tact::failure_reason::timed_out);
  engine.send(waiting, 5);
  sim.run();
  CHECK(what->answers == 0);
  CHECK(engine.statistics().dead_letters == 1);
  CHECK_THROWS_AS(tact::timeout(late, 0ms), tact::usage_error);
}

TEST_CASE("timeout: many threads ask through one, and each gets its own answer", "[law4][law13]") {
  TACT_FOR_EACH_THREAD_COUNT(workers);
  const nothing_left left;
  tact::engine engine(quiet_options(workers));
  const auto asked = std::make_shared<std::atomic<int>>(0);
  const auto relay = engine.create(tact::timeout(engine.create(service(asked), tact::parallel), 1h), tact::parallel);
  std::atomic<int> wrong{0};
  on_threads(4, [&](unsigned thread) {
    for (int i = 0; i < scaled(300); ++i) {
      const int number = static_cast<int>(thread) * 1'000 + i;
      wrong += engine.ask(relay, question{.number = number}) == number ? 0 : 1;
    }
  });
  require_idle(engine);
  CHECK(wrong == 0);
}

}  // namespace timeout_test
