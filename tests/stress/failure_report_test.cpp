// Law 8: what throws is reported, and decides about its actor as the policy says; dead letters are kept and told.
#include <sstream>
#include <stdexcept>
#include <string>

#include "support/captured_stderr.hpp"
#include "support/engine_fixture.hpp"

namespace failure_report_test {

namespace {

using namespace tact::support;
using tact::failure_policy;

struct trip {
  int kind = 0;
};
struct state {
  using reply = int;
};
struct clumsy : tact::protocol<trip, tact::request<state>> {};

[[noreturn]] void fall(int kind) {
  if (kind == 1) throw std::string("a string");
  if (kind == 2) throw "a literal";
  if (kind == 3) throw 3;
  throw std::runtime_error("the floor is wet");
}

tact::behavior<clumsy> open_clumsy() {
  return {[](tact::self<clumsy>& self, const trip& m) {
            self.become({});
            fall(m.kind);
          },
          [](auto& self, const tact::request<state>& m) { self.reply(m, 1); }};
}

class clumsy_actor : public tact::actor<clumsy_actor, clumsy> {
 public:
  void receive(tact::self<clumsy_actor>&, const trip& m) {
    ++falls_;
    fall(m.kind);
  }
  void receive(tact::self<clumsy_actor>& self, const tact::request<state>& m) { self.reply(m, falls_); }

 private:
  int falls_ = 0;
  tracked kept_;
};

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

template <class P>
bool alive(tact::engine& engine, tact::ref<P> a) {
  try {
    return engine.ask(a, state{}) >= 1;
  } catch (const tact::ask_error&) {
    return false;
  }
}

}  // namespace

TEST_CASE("failure report: the handler gets actor, message, what and fate of each throwing handler", "[law8]") {
  TACT_FOR_EACH_WORKER_COUNT(workers);
  std::mutex mutex;
  std::vector<tact::failure_report> reports;
  tact::engine_options options;
  options.workers = workers;
  std::vector<std::string> texts;
  options.on_failure = [&](const tact::failure_report& r) {
    const std::lock_guard lock(mutex);
    texts.push_back(r.what);
    reports.push_back(r);
    throw std::runtime_error("ignored");
  };
  tact::engine engine(options);
  const auto a = engine.create(open_clumsy());
  for (int kind = 0; kind < 4; ++kind) engine.send(a, trip{kind});
  require_idle(engine);
  REQUIRE(reports.size() == 4);
  CHECK(texts[0] == "the floor is wet");
  CHECK(texts[1] == "a string");
  CHECK(texts[2] == "a literal");
  CHECK_FALSE(texts[3].empty());
  for (const auto& r : reports) {
    CHECK(contains(std::string(r.actor), "clumsy"));
    CHECK(contains(std::string(r.message), "trip"));
    CHECK_FALSE(r.actor_ends);
  }
  CHECK(engine.statistics().failures == 4);
  CHECK(engine.statistics().aborts == 4);
}

TEST_CASE("failure report: without a handler there is one line on stderr", "[law8]") {
  const std::string text = captured_stderr([] {
    tact::engine_options options;
    options.workers = 2;
    tact::engine engine(options);
    engine.send(engine.create(open_clumsy(), tact::parallel), trip{0});
    engine.spawn<clumsy_actor>() | trip{1};
    engine.wait_idle();
  });
  INFO(text);
  CHECK(std::count(text.begin(), text.end(), '\n') == 2);
  CHECK(contains(text, "clumsy threw while handling"));
  CHECK(contains(text, "the floor is wet\n"));
  CHECK(contains(text, "a string (the actor ends)\n"));
}

TEST_CASE("failure report: the policies decide whether the actor of a throwing handler goes on or ends", "[law8]") {
  TACT_FOR_EACH_WORKER_COUNT(workers);
  const nothing_left left;
  const auto policy = GENERATE(failure_policy::go_on, failure_policy::end);
  auto options = quiet_options(workers);
  options.transactional_failure = policy;
  options.classic_failure = policy;
  tact::engine engine(options);
  const auto parallel = engine.create(open_clumsy(), tact::parallel);
  const auto ordered = engine.create(open_clumsy());
  const auto classic = engine.spawn<clumsy_actor>();
  engine.send(parallel, trip{});
  engine.send(ordered, trip{});
  engine.send(classic, trip{});
  require_idle(engine);
  const bool goes_on = policy == failure_policy::go_on;
  CHECK(alive(engine, parallel) == goes_on);
  CHECK(alive(engine, ordered) == goes_on);
  CHECK(alive(engine, classic) == goes_on);
  CHECK(engine.statistics().failures == 3);
  CHECK(engine.statistics().actors_alive == (goes_on ? 3 : 0));
  CHECK(tracked::alive == (goes_on ? 1 : 0));
}

TEST_CASE("failure report: an actor that throws on many workers at once ends once", "[law8]") {
  TACT_FOR_EACH_WORKER_COUNT(workers);
  auto options = quiet_options(workers);
  options.transactional_failure = failure_policy::end;
  tact::engine engine(options);
  for (int round = 0; round < scaled(50); ++round) {
    const auto a = engine.create(open_clumsy(), tact::parallel);
    for (int i = 0; i < 20; ++i) engine.send(a, trip{});
  }
  require_idle(engine);
  CHECK(engine.statistics().actors_alive == 0);
}

TEST_CASE("failure report: dead letters are counted, told, and the latest are kept with target, type and reason",
          "[law8]") {
  TACT_FOR_EACH_WORKER_COUNT(workers);
  std::atomic<int> told{0};
  auto options = quiet_options(workers);
  options.dead_letters_kept = 3;
  options.on_dead_letter = [&](const tact::dead_letter&) {
    ++told;
    throw std::runtime_error("ignored");
  };
  tact::engine engine(options);
  const auto a = engine.spawn<clumsy_actor>();
  a | tact::finished_msg;
  require_idle(engine);
  for (int i = 0; i < 10; ++i) engine.send(a, trip{});
  engine.send(tact::ref<clumsy>{}, trip{});
  require_idle(engine);
  CHECK(told == 11);
  CHECK(engine.statistics().dead_letters == 11);
  const auto letters = engine.dead_letters();
  REQUIRE(letters.size() == 3);
  CHECK(contains(letters[0].target, "clumsy_actor@"));
  CHECK(letters[2].target == "nobody");
  CHECK(contains(std::string(letters[0].message), "trip"));
  CHECK(letters[0].reason == tact::failure_reason::target_ended);
  std::ostringstream text;
  text << letters[0];
  CHECK(contains(text.str(), "trip to "));
  CHECK(contains(text.str(), "target ended"));
}

TEST_CASE("failure report: callbacks may send; that is part of no transaction", "[law8]") {
  TACT_FOR_EACH_WORKER_COUNT(workers);
  std::atomic<int> heard{0};
  tact::ref<trip> listener;
  auto options = quiet_options(workers);
  options.on_failure = [&](const tact::failure_report&) { listener | trip{7}; };
  tact::engine engine(options);
  listener = engine.create(tact::behavior<trip>{[&](auto&, const trip& m) { heard += m.kind; }}, tact::parallel);
  engine.send(engine.create(open_clumsy(), tact::parallel), trip{});
  require_idle(engine);
  CHECK(heard == 7);
}

}  // namespace failure_report_test
