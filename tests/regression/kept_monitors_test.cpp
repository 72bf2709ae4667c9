// Members, subscribers and names that come and go, while their actors live on, leave nothing behind.
#include <algorithm>
#include <cstdint>
#include <limits>
#include <tact/patterns.hpp>

#include "support/engine_fixture.hpp"

namespace kept_monitors_test {

namespace {

using namespace tact::support;

struct note {};
struct go {
  int left = 0;
};
struct echo {
  using reply = int;
};
// A watcher of 80 bytes for each change would be more than three times what may grow.
constexpr int changes = sanitized ? 250 : 2'500;
constexpr std::int64_t most_growth = 64 * 1024;

// A round of changes may find more waiting than any before it, and the engine keeps room for that. What is left behind
// grows in each round.
template <class Round>
void require_a_round_that_keeps_nothing(tact::engine& engine, Round round) {
  round();
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  for (int i = 0; i < 4; ++i) {
    const auto before = static_cast<std::int64_t>(engine.statistics().bytes_held);
    round();
    least = std::min(least, static_cast<std::int64_t>(engine.statistics().bytes_held) - before);
  }
  CHECK(least <= most_growth);
}

// Changes something and takes it back, again and again, a few at a time.
template <class Change>
tact::behavior<go> changing(Change change) {
  return {[change](tact::self<go>& self, const go& m) {
    for (int i = 0; i < 20; ++i) change(self);
    if (m.left > 0) self.send(self.ref(), go{m.left - 20});
  }};
}

template <class Change>
void require_nothing_kept(tact::engine& engine, Change change) {
  const auto driver = engine.create(changing(change));
  require_a_round_that_keeps_nothing(engine, [&] {
    engine.send(driver, go{changes});
    require_idle(engine);
  });
}

tact::behavior<note> deaf() {
  return {[](auto&, const note&) {}};
}

template <class Router>
void add_and_remove(tact::engine& engine, Router router, tact::ref<note> member) {
  engine.send(router, note{});  // from now on it watches its members
  require_nothing_kept(engine, [=](auto& self) {
    self.send(router, tact::add_member<note>{member});
    self.send(router, tact::remove_member<note>{member});
  });
}

}  // namespace

TEST_CASE("regression: a living member that is added to a router and removed leaves nothing behind", "[law10]") {
  tact::engine engine(quiet_options(1));
  const auto stays = engine.create(deaf());
  const auto comes = engine.create(deaf());
  add_and_remove(engine, engine.create(tact::router<note>({stays}, tact::round_robin())), comes);
  add_and_remove(engine, engine.create(tact::router<note>({stays}, tact::by_key([](const note&) { return 1; }, 4))),
                 comes);
}

TEST_CASE("regression: one that is added to a scatter_gather and removed leaves nothing behind", "[law10]") {
  tact::engine engine(quiet_options(1));
  const auto make = [&] {
    return engine.create(
        tact::behavior<tact::request<echo>>{[](auto& self, const tact::request<echo>& m) { self.reply(m, 1); }});
  };
  const auto comes = make();
  const auto all = engine.create(tact::scatter_gather<echo>({make()}));
  CHECK(engine.ask(all, tact::to_all<echo>{}).size() == 1);
  require_nothing_kept(engine, [=](auto& self) {
    self.send(all, tact::add_member<tact::request<echo>>{comes});
    self.send(all, tact::remove_member<tact::request<echo>>{comes});
  });
}

TEST_CASE("regression: one that joins and leaves topics, groups and observables leaves nothing behind", "[law10]") {
  tact::engine engine(quiet_options(1));
  const auto comes = engine.create(deaf());
  const auto topic = engine.create(tact::topic<note>());
  require_nothing_kept(engine, [=](auto& self) {
    self.send(topic, tact::request<tact::subscribe_topic<note>>{{}, {comes}});
    self.send(topic, tact::request<tact::unsubscribe_topic<note>>{{}, {comes}});
  });
  const auto group = engine.create(tact::process_group<note>());
  require_nothing_kept(engine, [=](auto& self) {
    self.send(group, tact::request<tact::join_group<note>>{{}, {comes}});
    self.send(group, tact::request<tact::leave_group<note>>{{}, {comes}});
  });
  const auto hears = engine.create(tact::behavior<int>{[](auto&, int) {}});
  const auto value = engine.create(tact::observable(1));
  require_nothing_kept(engine, [=](auto& self) {
    self.send(value, tact::subscribe_observable<int>{hears});
    self.send(value, tact::unsubscribe_observable<int>{hears});
  });
}

TEST_CASE("regression: a name that is given to one living actor after the other leaves nothing behind", "[law10]") {
  tact::engine engine(quiet_options(1));
  const auto one = engine.create(deaf());
  const auto other = engine.create(deaf());
  const tact::registry names(engine);
  const auto office = names.office();
  require_nothing_kept(engine, [=](auto& self) {
    self.send(office, tact::request<tact::register_name>{{}, tact::register_name::replacing("one", one)});
    self.send(office, tact::request<tact::register_name>{{}, tact::register_name::replacing("one", other)});
    self.send(office, tact::request<tact::unregister_name>{{}, tact::unregister_name("one")});
  });
  require_a_round_that_keeps_nothing(engine, [&] {
    for (int i = 0; i < changes; ++i) {
      names.replace("two", i % 2 == 0 ? one : other);
      if (i % 5 == 0) names.remove("two");
      if (i % 50 == 0) require_idle(engine);  // so that what waits takes no memory of its own
    }
    require_idle(engine);
  });
}

}  // namespace kept_monitors_test
