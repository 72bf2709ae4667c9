// Monitors: an actor that watches another is told of its end once, whatever ends it, and why.
#include <algorithm>
#include <map>
#include <set>

#include "support/engine_fixture.hpp"

namespace monitor_test {

namespace {

using namespace tact::support;
using tact::end_reason;

struct stop {};
struct vanish {};
struct trip {};
struct say {
  int number = 0;
};
struct target : tact::protocol<stop, vanish, trip, say> {};

tact::behavior<target> open_target(tact::ref<say> to = {}) {
  return {[to](tact::self<target>& self, const stop&) {
            if (to) self.send(to, say{7});
            self.stop();
          },
          [](tact::self<target>& self, const vanish&) { self.become({}); },
          [](auto&, const trip&) { throw std::runtime_error("the floor is wet"); },
          [to](auto& self, const say& m) {
            if (to) self.send(to, m);
          }};
}

class classic_target : public tact::actor<classic_target, target> {
 public:
  tact::allocation receive(tact::self<classic_target>&, const stop&) { return tact::allocation::delete_; }
  void receive(tact::self<classic_target>& self, const vanish&) { self.stop(); }
  void receive(tact::self<classic_target>&, const trip&) { throw std::runtime_error("the floor is wet"); }
  void receive(tact::self<classic_target>&, const say&) {}
};

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

tact::engine_options ending_options(unsigned workers) {
  auto o = quiet_options(workers);
  o.transactional_failure = tact::failure_policy::end;
  o.blocking_max = 4;
  return o;
}

std::vector<tact::ref<target>> one_of_each(tact::engine& engine) {
  return {engine.create(open_target(), tact::parallel),
          engine.create(open_target()),
          engine.create(open_target(), tact::heavy),
          engine.create(open_target(), tact::blocking),
          engine.spawn<classic_target>(),
          engine.spawn<classic_target>(tact::blocking)};
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

namespace {

struct told_of {
  int number = 0;
  tracked kept{};
};
struct watch_some {
  tact::ref<target> whom;
};
struct take_back {
  bool throws = false;
};
struct keeper : tact::protocol<told_of, watch_some, take_back> {};

// Watches an actor twice, and takes the first monitor back when it is told to.
tact::behavior<keeper> open_keeper(std::vector<int>& heard, tact::monitor first = {}) {
  return {[&heard](auto&, const told_of& m) { heard.push_back(m.number); },
          [&heard](tact::self<keeper>& self, const watch_some& m) {
            const tact::monitor other = self.monitor(m.whom, told_of{1});
            self.monitor(m.whom, told_of{2});
            self.become(open_keeper(heard, other));
          },
          [&heard, first](tact::self<keeper>& self, const take_back& m) {
            first.cancel();
            first.cancel();
            self.become(open_keeper(heard));
            if (m.throws) throw std::runtime_error("it stays");
          }};
}

}  // namespace

TEST_CASE("monitor: one that was taken back says nothing, however its actor is placed, unless the run does not commit",
          "[law1][law4]") {
  TACT_FOR_EACH_WORKER_COUNT(workers);
  const bool throws = GENERATE(false, true);
  const nothing_left left;
  tact::engine engine(ending_options(workers));
  for (const auto& whom : one_of_each(engine)) {
    std::vector<int> heard;
    auto o = engine.create(open_keeper(heard), tact::failure_rule(tact::failure_policy::go_on));
    o | watch_some{whom};
    require_idle(engine);
    o | take_back{throws};
    require_idle(engine);
    whom | stop{};
    require_idle(engine);
    std::sort(heard.begin(), heard.end());  // what tells of the end comes in any order
    CHECK(heard == (throws ? std::vector{1, 2} : std::vector{2}));
  }
}

TEST_CASE("monitor: its handle is harmless after the end of its actor, its run and its engine", "[law13]") {
  const nothing_left left;
  std::vector<int> heard;
  tact::monitor of_ended;
  tact::monitor of_left;
  tact::monitor of_aborted;
  {
    tact::engine engine(quiet_options(2));
    const auto keeper = engine.create(open_keeper(heard));
    const auto ends = engine.create(open_target());
    const auto stays = engine.create(open_target(), tact::parallel);
    of_ended = engine.monitor(ends, keeper, told_of{7});
    of_left = engine.monitor(stays, keeper, told_of{8});
    const auto throwing = engine.create(tact::behavior<stop>{[&](tact::self<stop>& self, const stop&) {
      of_aborted = self.monitor(stays, keeper, told_of{9});
      throw std::runtime_error("no monitor");
    }});
    engine.send(throwing, stop{});
    ends | stop{};
    require_idle(engine);
    CHECK(heard == std::vector{7});
    of_ended.cancel();
    of_aborted.cancel();
    tact::monitor().cancel();
    CHECK_FALSE(tact::monitor());
    CHECK(of_left == tact::monitor(of_left));
    require_idle(engine);
  }
  for (const auto& m : {of_ended, of_left, of_aborted}) m.cancel();
  of_ended = of_left = of_aborted = {};
  CHECK(tracked::alive == 0);
}

TEST_CASE("monitor: of those that are taken back while the actor changes and ends none is told twice, and none is left",
          "[law3][law4]") {
  TACT_FOR_EACH_THREAD_COUNT(workers);
  const nothing_left left;
  tact::engine engine(ending_options(workers));
  std::atomic<int> heard{0};
  const auto ear = engine.create(tact::behavior<told_of>{[&](auto&, const told_of&) { ++heard; }});
  int cancelled = 0;
  for (int round = 0; round < scaled(20); ++round) {
    for (const auto& whom : one_of_each(engine)) {
      std::vector<tact::monitor> some;
      for (int i = 0; i < 8; ++i) {
        some.push_back(engine.monitor(whom, ear, told_of{i}));
        whom | say{i};
      }
      std::thread other([&] { whom | stop{}; });
      for (int i = 0; i < 8; i += 2) {
        some[static_cast<std::size_t>(i)].cancel();
        ++cancelled;
      }
      other.join();
    }
    require_idle(engine);
  }
  CHECK((heard >= cancelled && heard <= 2 * cancelled));  // those that were not taken back, all of them
  CHECK(tracked::alive == 0);
}

}  // namespace monitor_test
