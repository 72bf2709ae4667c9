// Failure rules: of an actor before those of the engine; functions that decide; nested exceptions.
#include "support/engine_fixture.hpp"

namespace failure_rule_test {

namespace {

using namespace tact::support;
using tact::failure_policy;
using tact::failure_rule;

struct trip {
  int depth = 1;
};
struct query {
  using reply = int;
};
struct clumsy : tact::protocol<trip, tact::request<query>> {};

// "fall 3: fall 2: fall 1"
void fall(int depth) {
  if (depth == 1) throw std::runtime_error("fall 1");
  try {
    fall(depth - 1);
  } catch (...) {
    std::throw_with_nested(std::runtime_error("fall " + std::to_string(depth)));
  }
}

tact::behavior<clumsy> open_clumsy() {
  return {[](auto&, const trip& m) { fall(m.depth); },
          [](auto& self, const tact::request<query>& m) { self.reply(m, 1); }};
}

class clumsy_actor : public tact::actor<clumsy_actor, clumsy> {
 public:
  void receive(tact::self<clumsy_actor>&, const trip& m) { fall(m.depth); }
  void receive(tact::self<clumsy_actor>& self, const tact::request<query>& m) { self.reply(m, 1); }
};

template <class P>
bool alive(tact::engine& engine, tact::ref<P> a) {
  try {
    return engine.ask(a, query{}) == 1;
  } catch (const tact::ask_error&) {
    return false;
  }
}

}  // namespace

TEST_CASE("failure rule: an actor's own goes before the engine's", "[law8]") {
  TACT_FOR_EACH_WORKER_COUNT(workers);
  const auto engines = GENERATE(failure_policy::go_on, failure_policy::end);
  auto options = quiet_options(workers);
  options.transactional_failure = engines;
  options.classic_failure = engines;
  tact::engine engine(options);
  for (const auto own : {failure_policy::go_on, failure_policy::end}) {
    const std::array<tact::ref<clumsy>, 5> all{engine.create(open_clumsy(), failure_rule(own), tact::parallel),
                                               engine.create(open_clumsy(), failure_rule(own)),
                                               engine.create(open_clumsy(), failure_rule(own), tact::blocking),
                                               engine.spawn<clumsy_actor>(failure_rule(own)),
                                               engine.spawn<clumsy_actor>(tact::heavy, failure_rule(own))};
    const auto plain = engine.create(open_clumsy(), tact::named("plain"), tact::parallel);
    for (const auto a : all) a | trip{};
    plain | trip{};
    require_idle(engine);
    for (const auto a : all) CHECK(alive(engine, a) == (own == failure_policy::go_on));
    CHECK(alive(engine, plain) == (engines == failure_policy::go_on));
  }
}

TEST_CASE("failure rule: a function is asked on each failure, and what it throws ends the actor", "[law8]") {
  TACT_FOR_EACH_WORKER_COUNT(workers);
  std::atomic<int> asked{0};
  std::atomic<int> ends{0};
  auto options = quiet_options(workers);
  options.on_failure = [&](const tact::failure_report& r) { ends += r.actor_ends ? 1 : 0; };
  // The third failure ends it.
  options.transactional_failure = [&asked](const tact::failure_report& r) {
    if (r.what != "fall 1" || r.actor != "clumsy" || r.message != "trip") return failure_policy::end;
    return ++asked == 3 ? failure_policy::end : failure_policy::go_on;
  };
  tact::engine engine(options);
  const auto a = engine.create(open_clumsy());
  for (int i = 0; i < 2; ++i) a | trip{};
  require_idle(engine);
  CHECK(alive(engine, a));
  CHECK(ends == 0);
  for (int i = 0; i < 2; ++i) a | trip{};
  require_idle(engine);
  CHECK_FALSE(alive(engine, a));
  CHECK(asked == 3);
  CHECK(ends == 1);
  const auto b = engine.create(open_clumsy(), failure_rule([](const tact::failure_report&) -> failure_policy {
                                 throw std::runtime_error("cannot decide");
                               }),
                               tact::parallel);
  b | trip{};
  require_idle(engine);
  CHECK_FALSE(alive(engine, b));
  CHECK(ends == 2);
}

TEST_CASE("failure: nested exceptions reach report, asker, monitor and dead letter with their chain", "[law8]") {
  TACT_FOR_EACH_WORKER_COUNT(workers);
  std::mutex mutex;
  std::vector<tact::failure_report> reports;
  auto options = quiet_options(workers);
  options.on_failure = [&](const tact::failure_report& r) {
    const std::lock_guard lock(mutex);
    reports.push_back(r);
  };
  options.transactional_failure = failure_policy::end;
  tact::ended end;
  tact::engine engine(options);
  const auto a = engine.create(open_clumsy(), tact::parallel);
  engine.monitor(
      a, engine.create(tact::behavior<tact::ended>{[&](auto&, const tact::ended& e) { end = e; }}, tact::parallel));
  require_idle(engine);
  a | trip{3};
  require_idle(engine);
  const std::vector<std::string> chain{"fall 3", "fall 2", "fall 1"};
  REQUIRE(reports.size() == 1);
  CHECK(reports[0].what == "fall 3: fall 2: fall 1");
  CHECK(reports[0].causes == chain);
  CHECK(end.what == "fall 3: fall 2: fall 1");
  const auto asked = engine.create(
      tact::behavior<tact::request<query>>{[](auto&, const tact::request<query>&) { fall(3); }}, tact::parallel);
  try {
    engine.ask(asked, query{});
    FAIL("answered");
  } catch (const tact::ask_error& e) {
    CHECK(e.causes() == chain);
    CHECK(std::string(e.what()) == "ask: handler threw: fall 3: fall 2: fall 1");
  }
  const auto deaf = engine.create(tact::behavior<int>{[](auto&, int) {}}, tact::parallel);
  engine.create(tact::behavior<tact::request<query>>{[](auto&, const tact::request<query>&) { fall(3); }},
                tact::parallel) |
      tact::request<query>{deaf};
  require_idle(engine);
  const auto letters = engine.dead_letters();
  REQUIRE(letters.size() == 1);
  CHECK(letters[0].reason == tact::failure_reason::failure_not_heard);
  CHECK(letters[0].what == "fall 3: fall 2: fall 1");
  CHECK(letters[0].causes == chain);
}

TEST_CASE("failure: a chain of exceptions is cut at sixteen", "[law8]") {
  std::size_t causes = 0;
  auto options = quiet_options(1);
  options.on_failure = [&](const tact::failure_report& r) { causes = r.causes.size(); };
  tact::engine engine(options);
  engine.create(open_clumsy(), tact::parallel) | trip{40};
  require_idle(engine);
  CHECK(causes == 16);
}

}  // namespace failure_rule_test
