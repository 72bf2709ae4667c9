// Restarts in place: of each kind of actor, at once and after a rest, with what becomes of the message that failed.
#include <mutex>
#include <optional>
#include <string>

#include "support/restarts.hpp"

namespace restart_test {

namespace {

using namespace tact::support;
using namespace std::chrono_literals;
using tact::failure_policy;
using tact::failure_report;
using tact::failure_rule;
using tact::failure_verdict;

// The reports of an engine, in order.
class reports {
 public:
  tact::engine_options heard_by(tact::engine_options options) {
    options.on_failure = [this](const failure_report& r) {
      const std::lock_guard lock(mutex_);
      all_.push_back(r);
    };
    return options;
  }
  std::vector<failure_report> all() const {
    const std::lock_guard lock(mutex_);
    return all_;
  }

 private:
  mutable std::mutex mutex_;
  std::vector<failure_report> all_;
};

// Its object says when it is made and when it is destroyed.
class noted : public tact::actor<noted, trip> {
 public:
  explicit noted(std::string& notes) : notes_(&notes) { *notes_ += "made "; }
  ~noted() { *notes_ += "gone "; }
  void receive(tact::self<noted>&, const trip&) { throw std::runtime_error("tripped"); }

 private:
  std::string* notes_;
};

struct query {
  using reply = int;
};

}  // namespace

TEST_CASE("restart: the ref stays valid, the state is the first one, and the message that failed is dropped",
          "[law8]") {
  TACT_FOR_EACH_WORKER_COUNT(workers);
  const nothing_left left;
  reports heard;
  tact::engine engine(heard.heard_by(quiet_options(workers)));
  for (const auto a : one_sum_of_each(engine, failure_rule(failure_policy::restart))) {
    for (int i = 0; i < 3; ++i) {
      a | add{1};
      require_idle(engine);
      a | trip{};
      require_idle(engine);
      a | add{2};
      require_idle(engine);
      CHECK(engine.ask(a, total{}) == 2);
      a | add{-5};  // the sum that it has become is gone
      require_idle(engine);
      CHECK(engine.ask(a, total{}) == 0);
    }
    a | leave{};
  }
  require_idle(engine);
  CHECK(engine.statistics().restarts == 30);
  CHECK(engine.statistics().failures == 30);
  CHECK(engine.statistics().dead_letters == 0);
  for (const failure_report& r : heard.all()) {
    CHECK(r.restarts);
    CHECK(!r.actor_ends);
    CHECK(r.attempts == 1);
  }
}

TEST_CASE("restart: what waits in the mailbox stays, in order", "[law5][law8]") {
  TACT_FOR_EACH_WORKER_COUNT(workers);
  tact::engine engine(quiet_options(workers));
  const auto rest = GENERATE(0ms, 1ms);
  const failure_rule rule([=](const failure_report&) { return failure_verdict(failure_policy::restart, rest); });
  const auto all = one_sum_of_each(engine, rule);
  for (auto a = all.begin() + 1; a != all.end(); ++a) {  // a parallel actor promises no order
    for (int i = 0; i < 100; ++i) *a | add{1};
    *a | trip{};
    for (int i = 0; i < 50; ++i) *a | add{1};
    CHECK(engine.ask(*a, total{}) == 50);
  }
}

TEST_CASE("restart: whoever asked hears of the failure, and those who ask behind it are answered", "[law8]") {
  TACT_FOR_EACH_WORKER_COUNT(workers);
  tact::engine engine(quiet_options(workers));
  for (const auto a : one_sum_of_each(engine, failure_rule(failure_policy::restart))) {
    a | add{7};
    require_idle(engine);
    CHECK(engine.ask(a, total{}) == 7);
  }
  const auto asked = engine.create(tact::restarting([] {
                                     return tact::behavior<tact::request<query>>{
                                         [](auto&, const tact::request<query>&) { throw std::runtime_error("no"); }};
                                   }),
                                   failure_rule(failure_policy::restart));
  for (int i = 0; i < 3; ++i) {
    try {
      static_cast<void>(engine.ask(asked, query{}));
      FAIL("it was answered");
    } catch (const tact::ask_error& e) {
      CHECK(e.reason() == tact::failure_reason::handler_threw);
    }
  }
  require_idle(engine);
  CHECK(engine.statistics().restarts == 3);
}

TEST_CASE("restart: a message is handled again before what waits, so often as the rule says, and then is a dead letter",
          "[law5][law8]") {
  TACT_FOR_EACH_WORKER_COUNT(workers);
  const auto first = GENERATE(failure_policy::go_on, failure_policy::restart);
  reports heard;
  tact::engine engine(heard.heard_by(quiet_options(workers)));
  const auto rule = tact::tried_up_to(4, first, failure_policy::restart);
  const auto all = one_sum_of_each(engine, rule);
  for (auto a : all) {
    a | add{1};
    require_idle(engine);
    a | trip{};
    a | add{1};
    require_idle(engine);
    if (a != all.front()) CHECK(engine.ask(a, total{}) == 1);
  }
  CHECK(engine.statistics().dead_letters == all.size());
  CHECK(engine.statistics().retries == 3 * all.size());
  CHECK(engine.statistics().failures == 0);
  CHECK(heard.all().size() == 4 * all.size());
  for (std::size_t i = 0; i < heard.all().size(); ++i) CHECK(heard.all()[i].attempts == i % 4 + 1);
}

TEST_CASE("restart: a message that is handled at the second attempt is no failure, and its customer is answered",
          "[law8]") {
  TACT_FOR_EACH_WORKER_COUNT(workers);
  tact::engine engine(quiet_options(workers));
  const auto place = GENERATE(0, 1, 2);
  int calls = 0;
  const tact::restarting makes([&calls] {
    return tact::behavior<tact::request<query>>{[&calls](auto& self, const tact::request<query>& m) {
      if (++calls % 3 != 0) throw std::runtime_error("not yet");
      self.reply(m, calls);
    }};
  });
  const auto rule = tact::tried_up_to(3, failure_policy::restart);
  const auto a = place == 0   ? engine.create(makes, rule)
                 : place == 1 ? engine.create(makes, rule, tact::blocking)
                              : engine.create(makes, rule, tact::parallel);
  for (int i = 1; i <= 10; ++i) CHECK(engine.ask(a, query{}) == 3 * i);
  CHECK(engine.statistics().failures == 0);
  CHECK(engine.statistics().retries == 20);
}

TEST_CASE("restart: a rule sees the message that failed, if it asks for the right type", "[law8]") {
  std::optional<int> seen;
  bool is_wrong = false;
  tact::engine engine(quiet_options(1));
  const auto a = engine.create(open_sum(), failure_rule([&](const failure_report& r) {
                                 is_wrong = is_wrong || r.message_as<trip>() != nullptr;
                                 if (const add* const m = r.message_as<add>()) seen = m->n;
                                 return failure_policy::go_on;
                               }));
  a | add{-42};
  require_idle(engine);
  CHECK(seen == -42);
  CHECK(!is_wrong);
}

TEST_CASE("restart: an actor that was given nothing to be made of anew ends, and the report says what to do",
          "[law8]") {
  reports heard;
  tact::engine engine(heard.heard_by(quiet_options(2)));
  const auto a = engine.create(open_sum(), failure_rule(failure_policy::restart));
  a | trip{};
  require_idle(engine);
  REQUIRE(heard.all().size() == 1);
  CHECK(heard.all()[0].actor_ends);
  CHECK(!heard.all()[0].restarts);
  CHECK(heard.all()[0].what.find("tact::restarting") != std::string::npos);
  CHECK(engine.statistics().actors_alive == 0);
}

TEST_CASE("restart: when it cannot be made anew its rule is asked again, and it ends, or rests and tries once more",
          "[law8]") {
  TACT_FOR_EACH_THREAD_COUNT(workers);
  const bool parallel = GENERATE(false, true);
  const bool rests = GENERATE(false, true);
  const nothing_left left;
  std::atomic<int> made{0};
  reports heard;
  tact::engine engine(heard.heard_by(quiet_options(workers)));
  const tact::restarting makes([&made] {
    if (const int n = ++made; n > 1 && n < 4) throw std::runtime_error("cannot be made");
    return open_sum();
  });
  const failure_rule rule([=](const failure_report& r) {
    return r.attempts == 0 && rests ? failure_verdict(failure_policy::restart, 1ms) : failure_policy::restart;
  });
  const auto a = parallel ? engine.create(makes, rule, tact::parallel) : engine.create(makes, rule);
  a | trip{};
  a | add{1};
  if (rests) {
    while (made != 4) std::this_thread::yield();
    require_idle(engine);
    if (!parallel) CHECK(engine.ask(a, total{}) == 1);
    CHECK(heard.all().size() == 3);
    CHECK(heard.all()[2].message == "its restart");
    CHECK(heard.all()[2].restarts);
  } else {
    require_idle(engine);
    CHECK(heard.all().size() == 2);
    CHECK(heard.all()[1].actor_ends);
    CHECK(engine.statistics().actors_alive == 0);
  }
}

TEST_CASE("restart: an actor that rests is ended at once, and what waits for it are dead letters", "[law4][law8]") {
  TACT_FOR_EACH_THREAD_COUNT(workers);
  const nothing_left left;
  tact::engine engine(quiet_options(workers));
  const auto policy = GENERATE(failure_policy::restart, failure_policy::go_on);
  std::atomic<unsigned> failed{0};
  const failure_rule rule([&](const failure_report&) {
    ++failed;
    return failure_verdict(policy, 1h);
  });
  tact::scope group(engine);
  auto all = one_sum_of_each(group, rule);
  all.erase(all.begin());  // a parallel actor does not rest
  for (const auto a : all) a | trip{};
  while (failed != all.size()) std::this_thread::yield();
  for (const auto a : all) {
    for (int i = 0; i < 10; ++i) a | add{1};
  }
  group.end();
  require_idle(engine);
  CHECK(engine.statistics().dead_letters == 10 * all.size());
  CHECK(engine.statistics().actors_alive == 0);
  group.wait();
}

TEST_CASE("restart: an actor with an ordered mailbox that rests is ended at once, too", "[law4][law8]") {
  TACT_FOR_EACH_THREAD_COUNT(workers);
  const nothing_left left;
  tact::engine engine(quiet_options(workers));
  std::atomic<bool> failed{false};
  const failure_rule rule([&](const failure_report&) {
    failed = true;
    return failure_verdict(failure_policy::restart, 1h, true);
  });
  tact::scope group(engine);
  const auto a =
      group.create(tact::restarting([] { return open_sum(); }), rule, tact::by_priority(tact::handled_first<add>));
  a | trip{};
  while (!failed) std::this_thread::yield();
  for (int i = 0; i < 10; ++i) a | add{1};
  group.end();
  group.wait();
  require_idle(engine);
  CHECK(engine.statistics().dead_letters == 11);
}

TEST_CASE("restart: the end of an engine finds actors that rest, and buries what waits for them", "[law4][law11]") {
  TACT_FOR_EACH_THREAD_COUNT(workers);
  const nothing_left left;
  const auto policy = GENERATE(failure_policy::restart, failure_policy::go_on);
  std::atomic<unsigned> failed{0};
  std::atomic<int> dead{0};
  auto options = quiet_options(workers);
  options.on_dead_letter = [&](const tact::dead_letter&) { ++dead; };
  options.shutdown_timeout = 0ms;
  {
    tact::engine engine(options);
    const failure_rule rule([&](const failure_report&) {
      ++failed;
      return failure_verdict(policy, 1h);
    });
    auto all = one_sum_of_each(engine, rule);
    all.erase(all.begin());
    for (const auto a : all) a | trip{};
    while (failed != all.size()) std::this_thread::yield();
    for (const auto a : all) a | add{1};
    CHECK(engine.cancel(1h));
    CHECK(dead == static_cast<int>(all.size()));
  }
}

TEST_CASE("restart: a classic object is destroyed before it is made anew, from copies of its arguments", "[law8]") {
  std::string notes;
  {
    tact::engine engine(quiet_options(1));
    const auto a = engine.spawn<noted>(tact::restartable, failure_rule(failure_policy::restart), std::ref(notes));
    for (int i = 0; i < 2; ++i) a | trip{};
    require_idle(engine);
    CHECK(notes == "made gone made gone made ");
  }
  CHECK(notes == "made gone made gone made gone ");
}

TEST_CASE("restart: a handler that fails behind its wait is handled again before what was put aside", "[law5][law8]") {
  TACT_FOR_EACH_WORKER_COUNT(workers);
  tact::engine engine(quiet_options(workers));
  const auto rest = GENERATE(0ms, 1ms);
  const auto adder =
      engine.create(tact::behavior<tact::request<query>>{[](auto& self, const auto& m) { self.reply(m, 1); }});
  std::string order;
  int calls = 0;
  struct waits : tact::protocol<trip, add> {};
  const tact::restarting makes([&, adder] {
    return tact::behavior<waits>{[&, adder](tact::self<waits>& self, const trip&) {
                                   static_cast<void>(self.ask(adder, query{}));
                                   if (++calls < 3) throw std::runtime_error("tripped");
                                   order += "trip ";
                                 },
                                 [&](auto&, const add& m) { order += std::to_string(m.n) + " "; }};
  });
  const auto a = engine.create(
      makes, failure_rule([=](const failure_report&) { return failure_verdict(failure_policy::restart, rest, true); }));
  a | trip{};
  for (int i = 0; i < 3; ++i) a | add{i};
  require_idle(engine);
  CHECK(order == "trip 0 1 2 ");
  CHECK(calls == 3);
}

TEST_CASE("restart: what fails again and again on many workers is accounted for", "[law4][law8]") {
  TACT_FOR_EACH_WORKER_COUNT(workers);
  TACT_SEEDED(seed);
  const nothing_left left;
  {
    tact::engine engine(quiet_options(workers));
    const failure_rule rule([](const failure_report& r) {
      const bool again = r.attempts < 3;
      return failure_verdict(r.attempts % 2 == 0 ? failure_policy::restart : failure_policy::go_on,
                             r.attempts == 1 ? 20us : 0us, again);
    });
    const auto all = one_sum_of_each(engine, rule);
    on_threads(4, [&](unsigned i) {
      std::mt19937_64 random(seed + i);
      for (int n = 0; n < scaled(5'000); ++n) {
        const auto to = all[random() % all.size()];
        switch (random() % 8) {
          case 0:
            to | trip{};
            break;
          case 1:
            to | add{-1};
            break;
          case 2:
            try {
              static_cast<void>(engine.ask(to, total{}));
            } catch (const tact::ask_error&) {
              // The sum was negative.
            }
            break;
          default:
            to | add{1};
        }
      }
    });
    // A parallel actor that is to be made anew later has nothing in flight meanwhile, but a timer.
    do {
      REQUIRE(engine.wait_idle(generous));
    } while (engine.statistics().timers_armed != 0);
    require_idle(engine);
    const auto s = engine.statistics();
    CHECK(s.messages_sent == s.commits + s.failures + s.dead_letters);
    CHECK(s.failures == 0);
    CHECK(s.dead_letters > 0);
    CHECK(s.actors_alive == all.size());
  }
}

}  // namespace restart_test
