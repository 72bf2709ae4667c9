// Where sends of a handler go: looked at inside the handler, before anything of its run takes effect.
#include <cstdint>
#include <functional>
#include <vector>

#include "actors/run/transactor.hpp"
#include "support/engine_fixture.hpp"
#include "support/home_of.hpp"

namespace router_test {

namespace {

using namespace tact::support;
using tact::actors::transactor;

struct note {};
struct pad : tact::protocol<note> {};

tact::behavior<pad> ignore() {
  return [](auto&, const note&) {};
}
std::uint32_t home(tact::ref<pad> r) { return home_of(tact::detail::access::port_of(r)); }

// Ordinary shards that are not held together, so that a message for another shard leaves the lane.
tact::engine_options apart() {
  auto o = quiet_options(2);
  o.joint_holds = false;
  return o;
}

// Runs f(self, the transactor) in a handler of an actor that keeps order.
using look = std::function<void(tact::self<pad>&, transactor&)>;
void in_handler(tact::engine& engine, const look& f) {
  engine.create(tact::behavior<pad>{[f](tact::self<pad>& self, const note&) {
    f(self, transactor::of(*tact::detail::current_run()));
    self.stop();
  }}) |
      note{};
  require_idle(engine);
}

// One of the actors whose home is the shard that is held, or is not.
tact::ref<pad> one_whose(const std::vector<tact::ref<pad>>& all, const transactor& t, bool is_held) {
  for (const auto r : all) {
    if (t.holds(home(r)) == is_held) return r;
  }
  return {};
}
std::vector<tact::ref<pad>> make_many(tact::engine& engine) {
  std::vector<tact::ref<pad>> all;
  for (unsigned i = 0; i < 64; ++i) all.push_back(engine.create(ignore()));
  return all;
}

}  // namespace

TEST_CASE("router: a message for a shard that is held goes into the lane", "[actor][law5]") {
  tact::engine engine(apart());
  const auto all = make_many(engine);
  bool is_in_lane = false;
  in_handler(engine, [&](tact::self<pad>& self, transactor& t) {
    const auto* before = t.lane->write;
    self.send(one_whose(all, t, true), note{});
    is_in_lane = t.lane->write != before && t.journal().plain();
  });
  CHECK(is_in_lane);
}

TEST_CASE("router: a message for another shard goes into an outbox, and is seen by no worker before the commit",
          "[actor][law1]") {
  tact::engine engine(apart());
  const auto all = make_many(engine);
  bool is_in_outbox = false;
  in_handler(engine, [&](tact::self<pad>& self, transactor& t) {
    const auto to = one_whose(all, t, false);
    const auto* before = t.lane->write;
    self.send(to, note{});
    is_in_outbox = t.lane->write == before && t.worker().outboxes().at(t.workers().mail().outbox_for(home(to))).open;
  });
  CHECK(is_in_outbox);
}

TEST_CASE("router: a message for an actor of another engine is put aside until the commit", "[actor][law1]") {
  tact::engine here(apart());
  tact::engine there(apart());
  const auto to = there.create(ignore());
  bool is_aside = false;
  in_handler(here, [&](tact::self<pad>& self, transactor& t) {
    self.send(to, note{});
    is_aside = !t.journal().aside().empty();
  });
  CHECK(is_aside);
  require_idle(there);
  CHECK(there.statistics().commits == 1);
}

TEST_CASE("router: a message for a mailbox that has a limit is put aside until the commit", "[actor][law1]") {
  tact::engine engine(apart());
  const auto to = engine.create(ignore(), tact::mailbox_limit{.messages = 1});
  bool is_aside = false;
  in_handler(engine, [&](tact::self<pad>& self, transactor& t) {
    self.send(to, note{});
    is_aside = !t.journal().aside().empty();
  });
  CHECK(is_aside);
}

TEST_CASE("run_state: a worker is alone only where no other thread runs behaviours", "[actor][law13]") {
  const auto is_alone = [](unsigned workers, unsigned helpers, auto... where) {
    auto o = quiet_options(workers);
    o.helpers_max = helpers;
    tact::engine engine(o);
    bool found = false;
    engine.create(tact::behavior<pad>{[&](auto&, const note&) {
                    found = transactor::of(*tact::detail::current_run()).is_alone();
                  }},
                  where...) |
        note{};
    require_idle(engine);
    return found;
  };
  CHECK(is_alone(1, 0));
  CHECK_FALSE(is_alone(2, 0));
  CHECK_FALSE(is_alone(1, 1));
  CHECK_FALSE(is_alone(1, 0, tact::blocking));
}

}  // namespace router_test
