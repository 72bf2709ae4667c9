// Links: who ends with whom when one of two actors has failed.
#include "tact/patterns/link.hpp"
#include "support/restarts.hpp"
#include "tact/patterns/supervisor.hpp"

namespace link_test {

namespace {

using namespace tact::support;
using tact::failure_policy;
using tact::failure_rule;

struct go {};

}  // namespace

TEST_CASE("link: when one of two actors fails both end, and what is linked with them", "[law8]") {
  TACT_FOR_EACH_WORKER_COUNT(workers);
  const nothing_left left;
  tact::engine engine(quiet_options(workers));
  const failure_rule ends(failure_policy::end);
  const auto a = engine.create(open_sum(), ends);
  const auto b = engine.create(open_sum(), ends, tact::parallel);
  const auto c = engine.create(open_sum(), ends);
  const auto d = engine.create(open_sum(), ends);
  tact::link(engine, a, b);
  const auto linker =
      engine.create(tact::behavior<go>{[b, c](tact::self<go>& self, const go&) { tact::link(self, b, c); }});
  tact::link(engine, c, d);
  linker | go{};
  require_idle(engine);
  d | leave{};  // no failure
  require_idle(engine);
  CHECK(engine.statistics().actors_alive == 4);
  a | trip{};
  require_idle(engine);
  CHECK(engine.statistics().actors_alive == 1);
}

TEST_CASE("link: a restart ends nobody, and whom a link has ended is not restarted", "[law8]") {
  TACT_FOR_EACH_WORKER_COUNT(workers);
  const nothing_left left;
  tact::engine engine(quiet_options(workers));
  tact::supervisor all(engine);
  const auto child = all.create(tact::restarting([] { return open_sum(); }), tact::permanent);
  const auto beside = engine.create(open_sum(), failure_rule(failure_policy::end));
  tact::link(engine, child, beside);
  child | trip{};
  require_idle(engine);
  CHECK(all.restarts() == 1);
  CHECK(engine.statistics().actors_alive == 3);  // the supervisor is one too
  beside | trip{};
  require_idle(engine);
  CHECK(all.restarts() == 1);
  CHECK(all.size() == 0);
  CHECK(engine.statistics().actors_alive == 1);
}

TEST_CASE("link: one that had ended before counts as failed", "[law8]") {
  TACT_FOR_EACH_WORKER_COUNT(workers);
  const nothing_left left;
  tact::engine engine(quiet_options(workers));
  const auto gone = engine.create(open_sum());
  gone | leave{};
  require_idle(engine);
  const auto a = engine.create(open_sum());
  tact::link(engine, gone, a);
  require_idle(engine);
  CHECK(engine.statistics().actors_alive == 0);
}

}  // namespace link_test
