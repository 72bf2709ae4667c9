// A poison pill ends its actor, also beside permanent children: it was taken for the end of the actor that ran before
// it.
#include "support/engine_fixture.hpp"
#include "support/restarts.hpp"
#include "tact/patterns/supervisor.hpp"
#include "tact/tact.hpp"

namespace pill_of_permanent_test {

namespace {

using namespace tact;
using namespace tact::support;

struct nudge {};

class other : public actor<other, nudge> {
 public:
  void receive(tact::self<other>&, const nudge&) {}
};

}  // namespace

TEST_CASE("pill: it ends a permanent child, and is no end of its own", "[law4][law8]") {
  TACT_FOR_EACH_WORKER_COUNT(workers);
  const nothing_left left;
  tact::engine engine(quiet_options(workers));
  supervisor all(engine);
  const auto place = GENERATE(0, 1, 2);
  const auto child = place == 0   ? all.spawn<classic_sum>(restartable, permanent)
                     : place == 1 ? all.spawn<classic_sum>(restartable, permanent, heavy)
                                  : all.spawn<classic_sum>(restartable, permanent, blocking);
  child | leave{};  // this one is restarted
  require_idle(engine);
  CHECK(all.size() == 1);
  child | add{1};
  child | finished_msg;
  require_idle(engine);
  CHECK(all.size() == 0);
  CHECK(all.restarts() == 1);
}

TEST_CASE("pill: an actor that is no child ends by it, also when a permanent child has run just before",
          "[law4][law8]") {
  const nothing_left left;
  tact::engine engine(quiet_options(1));
  supervisor all(engine);
  const auto child = all.spawn<classic_sum>(restartable, permanent);
  // Both wait in one lane, so the pill is the next that the worker runs.
  const auto both = engine.create(behavior<nudge>{[=](auto& self, const nudge&) {
    const auto beside = self.template spawn<other>(named("beside"));
    for (int i = 0; i < 10; ++i) {
      self.send(child, add{1});
      self.send(beside, nudge{});
    }
    self.send(child, add{1});
    self.send(beside, finished_msg);
  }});
  for (int i = 0; i < 20; ++i) both | nudge{};
  require_idle(engine);
  CHECK(all.restarts() == 0);
  CHECK(engine.ask(child, total{}) == 220);
  CHECK(engine.statistics().actors_alive == 3);  // the supervisor, its child, and the one that nudges
}

}  // namespace pill_of_permanent_test
