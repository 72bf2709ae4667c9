// Monitors: an actor that watches another is told of its end once, whatever ends it, and why.
#include <algorithm>
#include <map>
#include <set>

#include "stress/monitored.hpp"

namespace monitor_test {

namespace {

using namespace tact::monitored_tests;
using tact::end_reason;

// What one watcher heard.
struct ear {
  std::mutex mutex;
  std::vector<tact::ended> ends;
  std::vector<int> said;

  void hear(const tact::ended& e) {
    const std::lock_guard lock(mutex);
    ends.push_back(e);
  }
  void hear(const say& m) {
    const std::lock_guard lock(mutex);
    said.push_back(m.number);
  }
};

struct look_at {
  tact::ref<target> whom;
};
struct listener : tact::protocol<tact::ended, say, look_at> {};

// Watches twice: with a message of its own, and to learn why.
tact::behavior<listener> open_listener(ear& e) {
  return {[&e](auto&, const tact::ended& m) { e.hear(m); }, [&e](auto&, const say& m) { e.hear(m); },
          [](tact::self<listener>& self, const look_at& m) {
            self.monitor(m.whom);
            self.monitor(m.whom, say{1});
          }};
}

}  // namespace

TEST_CASE("monitor: says once that an actor ended, and why, however it is placed and whatever ends it", "[law4]") {
  TACT_FOR_EACH_WORKER_COUNT(workers);
  ear e;
  tact::engine engine(ending_options(workers));
  const auto l = engine.create(open_listener(e));
  const auto play = [&](auto message, end_reason why) {
    const auto targets = one_of_each(engine);
    for (const auto t : targets) engine.send(l, look_at{t});
    require_idle(engine);
    CHECK(e.ends.empty());
    for (const auto t : targets) t | message;
    require_idle(engine);
    CHECK(e.ends.size() == targets.size());
    CHECK(e.said == std::vector<int>(targets.size(), 1));
    for (const auto t : targets) {
      CHECK(std::count_if(e.ends.begin(), e.ends.end(), [&](auto& end) { return end.was(t); }) == 1);
    }
    for (const auto& end : e.ends) {
      INFO(end.actor << " " << to_string(end.reason));
      CHECK((end.reason == why || (why == end_reason::became_nothing && end.reason == end_reason::stopped)));
      CHECK(end.what == (why == end_reason::failed ? "the floor is wet" : ""));
      CHECK(end.actor.find("target@") != std::string::npos);
    }
    e.ends.clear();
    e.said.clear();
  };
  play(stop{}, end_reason::stopped);
  play(vanish{}, end_reason::became_nothing);
  play(trip{}, end_reason::failed);
  CHECK(engine.dead_letters().empty());
}

TEST_CASE("monitor: of an actor that has ended, or of nobody, speaks at once", "[law4]") {
  TACT_FOR_EACH_WORKER_COUNT(workers);
  ear e;
  tact::engine engine(ending_options(workers));
  const auto l = engine.create(open_listener(e), tact::parallel);
  const auto targets = one_of_each(engine);
  for (const auto t : targets) t | stop{};
  require_idle(engine);
  for (const auto t : targets) engine.send(l, look_at{t});
  engine.send(l, look_at{});
  for (const auto t : targets) engine.monitor(t, l, say{2});
  engine.monitor(tact::ref<target>{}, l);
  require_idle(engine);
  CHECK(e.ends.size() == targets.size() + 2);
  for (const auto& end : e.ends) CHECK(end.earlier);
  const auto ended_for = [&](end_reason why) {
    return std::count_if(e.ends.begin(), e.ends.end(), [=](const tact::ended& end) { return end.reason == why; });
  };
  CHECK(ended_for(end_reason::stopped) == std::ptrdiff_t(targets.size()));
  CHECK(ended_for(end_reason::gone) == 2);  // of nobody
  CHECK(std::count(e.said.begin(), e.said.end(), 1) == std::ptrdiff_t(targets.size()) + 1);
  CHECK(std::count(e.said.begin(), e.said.end(), 2) == std::ptrdiff_t(targets.size()));
  CHECK(engine.dead_letters().empty());
}

TEST_CASE("monitor: a run that does not commit watches nobody", "[law1]") {
  TACT_FOR_EACH_WORKER_COUNT(workers);
  ear e;
  tact::engine engine(quiet_options(workers));
  const auto t = engine.create(open_target(), tact::parallel);
  const auto l = engine.create(open_listener(e), tact::parallel);
  struct clumsy : tact::protocol<say, trip> {};
  const auto c = engine.create(tact::behavior<clumsy>{[=](tact::self<clumsy>& self, const say&) {
                                                        self.monitor(t, l, say{1});
                                                        self.discard();
                                                        self.monitor(t, l, say{2});
                                                      },
                                                      [=](tact::self<clumsy>& self, const trip&) {
                                                        self.monitor(t, l, say{3});
                                                        throw std::runtime_error("no");
                                                      }},
                               tact::parallel);
  c | say{} | trip{};
  require_idle(engine);
  t | stop{};
  require_idle(engine);
  CHECK(e.said == std::vector<int>{2});
}

TEST_CASE("monitor: its word comes behind all that the ended actor sent", "[law5]") {
  TACT_FOR_EACH_WORKER_COUNT(workers);
  tact::engine engine(quiet_options(workers));
  std::vector<std::unique_ptr<ear>> ears;
  for (int i = 0; i < scaled(200); ++i) {
    ears.push_back(std::make_unique<ear>());
    const auto l = engine.create(open_listener(*ears.back()));
    const auto t = engine.create(open_target(l));
    engine.send(l, look_at{t});
    require_idle(engine);
    t | say{5} | stop{};
  }
  require_idle(engine);
  for (const auto& e : ears) REQUIRE(e->said == std::vector<int>{5, 7, 1});
}

TEST_CASE("monitor: its word to a customer is no answer", "[law8]") {
  TACT_FOR_EACH_WORKER_COUNT(workers);
  struct question {
    using reply = int;
  };
  struct go {};
  struct curious : tact::protocol<go, int, tact::failure, tact::ended> {};
  std::atomic<int> unanswered{0}, ended{0}, answered{0};
  tact::engine engine(quiet_options(workers));
  const auto t =
      engine.create(tact::behavior<tact::request<question>>{[](tact::self<tact::request<question>>& self,
                                                               const tact::request<question>&) { self.stop(); }},
                    tact::parallel);
  const auto c = engine.create(
      tact::behavior<curious>{
          [t](tact::self<curious>& self, const go&) {
            self.monitor(t);
            self.send(t, tact::request<question>{self.ref()});
          },
          [&](auto&, int) { ++answered; },
          [&](auto&, const tact::failure& f) { unanswered += f.reason == tact::failure_reason::unanswered ? 1 : 100; },
          [&](auto&, const tact::ended&) { ++ended; }},
      tact::parallel);
  c | go{};
  require_idle(engine);
  CHECK(unanswered == 1);
  CHECK(ended == 1);
  CHECK(answered == 0);
}

TEST_CASE("monitor: actors of another engine are told too, also when the engine ends", "[law11]") {
  TACT_FOR_EACH_WORKER_COUNT(workers);
  ear e;
  tact::engine there(quiet_options(workers));
  const auto l = there.create(open_listener(e));
  {
    tact::engine here(ending_options(workers));
    const auto targets = one_of_each(here);
    for (const auto t : targets) there.send(l, look_at{t});
    require_idle(there);
    require_idle(here);
    require_idle(there);
    targets[0] | stop{};
    require_idle(here);
    require_idle(there);
    CHECK(e.ends.size() == 1);
  }
  require_idle(there);
  CHECK(e.ends.size() == 6);
  CHECK(e.said.size() == 6);
  std::map<end_reason, int> why;
  for (const auto& end : e.ends) ++why[end.reason];
  CHECK(why == std::map<end_reason, int>{{end_reason::stopped, 1}, {end_reason::engine_ended, 5}});
}

TEST_CASE("monitor: of many that watch while the actor changes and ends each is told once", "[law3][law4]") {
  TACT_FOR_EACH_WORKER_COUNT(workers);
  const nothing_left left;
  struct told {
    int who;
    tracked kept{};
  };
  struct change {};
  struct restless : tact::protocol<change, stop> {
    static tact::behavior<restless> open(int n) {
      return {[n](tact::self<restless>& self, const change&) { self.become(open(n + 1)); },
              [](tact::self<restless>& self, const stop&) { self.stop(); }};
    }
  };
  struct watch_it {
    tact::ref<restless> whom;
    int who;
  };
  constexpr int watchers = 60;
  for (int round = 0; round < scaled(20); ++round) {
    std::array<std::atomic<int>, watchers> heard{};
    tact::engine engine(quiet_options(workers));
    const auto ears =
        engine.create(tact::behavior<told>{[&](auto&, const told& m) { ++heard[std::size_t(m.who)]; }}, tact::parallel);
    const auto t = engine.create(restless::open(0), tact::parallel);
    const auto by = engine.create(tact::behavior<watch_it>{[ears](tact::transaction& tx, const watch_it& m) {
                                    tx.monitor(m.whom, ears, told{m.who});
                                  }},
                                  tact::parallel);
    for (int i = 0; i < watchers; ++i) {
      engine.send(by, watch_it{t, i}, tact::spread);
      engine.send(t, change{}, tact::spread);
      if (i == watchers / 2) engine.send(t, stop{}, tact::spread);
    }
    require_idle(engine);
    for (const auto& h : heard) REQUIRE(h == 1);
  }
}

TEST_CASE("monitor: those who watched and have ended are forgotten", "[law10]") {
  TACT_FOR_EACH_WORKER_COUNT(workers);
  const nothing_left left;
  struct told {
    tracked kept{};
  };
  struct brief : tact::protocol<told, stop> {};
  tact::engine engine(quiet_options(workers));
  const auto t = engine.create(open_target(), tact::parallel);
  for (int i = 0; i < scaled(2'000); ++i) {
    const auto b = engine.create(tact::behavior<brief>{[](auto&, const told&) {},
                                                       [t](tact::self<brief>& self, const stop&) {
                                                         self.monitor(t, told{});
                                                         self.stop();
                                                       }},
                                 tact::parallel);
    b | stop{};
    if (i % 50 == 0) require_idle(engine);
  }
  require_idle(engine);
  CHECK(tracked::alive < 200);
  t | stop{};
  require_idle(engine);
  CHECK(tracked::alive == 0);
  CHECK(engine.dead_letters().empty());
}

}  // namespace monitor_test
