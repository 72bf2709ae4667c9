// Monitors that are taken back: tact::monitor::cancel.
#include <algorithm>
#include <atomic>
#include <thread>

#include "stress/monitored.hpp"

namespace monitor_cancel_test {

using namespace tact::monitored_tests;

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

}  // namespace monitor_cancel_test
