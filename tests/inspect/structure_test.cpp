// What an engine says of scopes, supervisors, topics and timers: what is there, and nothing that is gone.
#include "tact/structure.hpp"

#include <memory>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>

#include "support/engine_fixture.hpp"
#include "support/restarts.hpp"
#include "tact/description.hpp"
#include "tact/patterns/supervisor.hpp"
#include "tact/patterns/topic.hpp"
#include "tact/simulation.hpp"

namespace structure_test {

namespace {

using namespace tact::support;
using namespace std::chrono_literals;
using Catch::Contains;

struct tick {
  int n = 0;
};
struct word {};

// Ends with a tick below 0.
tact::behavior<tick> listener() {
  return [](auto& self, const tick& m) {
    if (m.n < 0) self.stop();
  };
}
tact::behavior<word> deaf() {
  return [](auto&, const word&) {};
}

std::string text_of(const auto& what) {
  std::ostringstream text;
  text << what;
  return text.str();
}

// A busy machine may keep the service of the timers from answering in time.
tact::structure structure_with_timers(const tact::engine& engine) {
  for (;;) {
    auto s = engine.structure();
    if (s.timers_known) return s;
  }
}

}  // namespace

TEST_CASE("structure: an engine without parts has none, and its text says nothing of them") {
  tact::engine engine(quiet_options(1));
  const auto s = structure_with_timers(engine);
  CHECK(s.scopes.empty());
  CHECK(s.supervised.empty());
  CHECK(s.topics.empty());
  CHECK(s.timers.empty());
  CHECK(text_of(s).empty());
  CHECK_THAT(text_of(engine.describe()), !Contains("scopes"));
}

TEST_CASE("structure: an open scope is listed behind the one around it, with its members, until its object ends") {
  tact::engine engine(quiet_options(1));
  tact::scope outer(engine, tact::named("sessions"));
  std::optional<tact::scope> other(std::in_place, engine);
  std::optional<tact::scope> inner(std::in_place, engine, outer, tact::named("one"));
  for (int i = 0; i < 5; ++i) static_cast<void>(inner->create(deaf(), tact::named("member " + std::to_string(i))));
  static_cast<void>(outer.create(deaf()));
  auto s = engine.structure();
  REQUIRE(s.scopes.size() == 3);
  CHECK(s.scopes_open == 3);
  CHECK(s.scopes[0].name == "sessions");
  CHECK(s.scopes[0].members == 1);
  CHECK(s.scopes[1].name == "one");
  CHECK(s.scopes[1].depth == 1);
  CHECK(s.scopes[1].members == 5);
  REQUIRE(s.scopes[1].some_members.size() == 3);
  CHECK_THAT(s.scopes[1].some_members[0], Contains("member 0 ("));
  CHECK(!s.scopes[1].ends);
  CHECK(s.scopes[2].name.empty());
  CHECK(s.scopes[2].depth == 0);
  CHECK_THAT(text_of(engine.describe()), Contains("scopes:\n  sessions: 1 member (") &&
                                             Contains("\n    one: 5 members (member 0 (") &&
                                             Contains(", ...)\n  a scope: 0 members\n"));
  other.reset();
  inner->end();
  inner->wait();
  s = engine.structure();
  REQUIRE(s.scopes.size() == 2);
  CHECK(s.scopes[1].ends);
  CHECK(s.scopes[1].members == 0);
  inner.reset();
  CHECK(engine.structure().scopes_open == 1);
}

TEST_CASE("structure: a scope that waits for a member that does not end is listed, and says that it ends") {
  struct block {};
  door handling;
  door may_go;
  tact::engine engine(quiet_options(1));
  std::thread closing;
  {
    auto group = std::make_unique<tact::scope>(engine, tact::named("stuck"));
    const auto busy = group->create(tact::behavior<block>([&](auto&, const block&) {
      handling.open();
      may_go.pass();
    }));
    engine.send(busy, block{});
    REQUIRE(handling.pass());
    closing = std::thread([g = std::move(group)]() mutable { g.reset(); });
  }
  auto s = engine.structure();
  while (s.scopes.empty() || !s.scopes[0].ends) s = engine.structure();
  CHECK(s.scopes[0].name == "stuck");
  CHECK(s.scopes[0].members == 1);
  may_go.open();
  closing.join();
  CHECK(engine.structure().scopes.empty());
}

TEST_CASE("structure: a hundred scopes are listed at most, and the number of all is said") {
  tact::engine engine(quiet_options(1));
  std::vector<std::unique_ptr<tact::scope>> all;
  for (int i = 0; i < 130; ++i) all.push_back(std::make_unique<tact::scope>(engine));
  const auto s = engine.structure();
  CHECK(s.scopes.size() == tact::structure::scopes_most);
  CHECK(s.scopes_open == 130);
  CHECK_THAT(text_of(s), Contains("scopes, 100 of 130:"));
}

TEST_CASE("structure: each engine lists its own scopes, and a scope may outlive its engine") {
  std::optional<tact::engine> first(std::in_place, quiet_options(1));
  tact::engine second(quiet_options(1));
  std::optional<tact::scope> of_first(std::in_place, *first, tact::named("of the first"));
  tact::scope of_second(second, *of_first, tact::named("of the second"));
  REQUIRE(first->structure().scopes.size() == 1);
  CHECK(first->structure().scopes[0].name == "of the first");
  REQUIRE(second.structure().scopes.size() == 1);
  CHECK(second.structure().scopes[0].name == "of the second");
  CHECK(second.structure().scopes[0].depth == 0);
  first.reset();
  tact::engine third(quiet_options(1));
  CHECK(third.structure().scopes.empty());
  of_first.reset();
  CHECK(third.structure().scopes.empty());
}

TEST_CASE("structure: a supervisor stands with its children, their restarts and last failures, and what is inside") {
  tact::engine engine(quiet_options(1));
  std::optional<tact::supervisor> feeds(
      std::in_place, engine, tact::supervision{.strategy = tact::restart_strategy::one_for_one, .name = "feeds"});
  const tact::restarting makes([] { return open_sum(); });
  const auto first = feeds->create(makes, tact::permanent, tact::named("feed 1"));
  std::optional<tact::supervisor> inside(std::in_place, engine, *feeds, tact::supervision{.restarts = 7});
  static_cast<void>(inside->create(open_sum(), tact::named("feed 2")));
  engine.send(first, trip{});
  require_idle(engine);
  auto s = engine.structure();
  CHECK(s.scopes.empty());  // a supervisor is listed once
  CHECK(s.supervision_trees == 1);
  REQUIRE(s.supervised.size() == 4);
  CHECK(s.supervised[0].is_supervisor);
  CHECK(s.supervised[0].name == "feeds");
  CHECK(s.supervised[0].kind == "one for one, 3 within 5000 ms");
  CHECK(s.supervised[0].children == 2);
  CHECK(s.supervised[0].restarts == 1);
  CHECK(s.supervised[1].name == "feed 1");
  CHECK(s.supervised[1].kind == "permanent");
  CHECK(s.supervised[1].depth == 1);
  CHECK(s.supervised[1].restarts == 1);
  CHECK(s.supervised[1].last_failure == "tripped");
  CHECK(s.supervised[2].is_supervisor);
  CHECK(s.supervised[2].depth == 1);
  CHECK(s.supervised[3].depth == 2);
  CHECK(s.supervised[3].kind == "temporary");
  // The engine's text and that of the supervisor are the same, but for the margin.
  std::string text;
  for (const auto& d : s.supervised) text += text_of(d) + '\n';
  CHECK(text == text_of(*feeds));
  CHECK_THAT(text_of(engine.describe()), Contains("supervisors:\n  feeds [one for one, 3 within 5000 ms]: 1 restart\n"
                                                  "    feed 1 (permanent): 1 restart, last failure: tripped\n"));
  inside.reset();
  CHECK(engine.structure().supervised.size() == 2);
  feeds.reset();
  s = engine.structure();
  CHECK(s.supervised.empty());
  CHECK(s.supervision_trees == 0);
}

TEST_CASE("structure: of supervised actors five hundred lines are listed") {
  tact::engine engine(quiet_options(1));
  tact::supervisor feeds(engine);
  for (int i = 0; i < 600; ++i) static_cast<void>(feeds.create(deaf()));
  const auto s = engine.structure();
  REQUIRE(s.supervised.size() == tact::structure::supervised_most);
  CHECK(s.supervised[0].children == 600);
}

TEST_CASE("structure: a topic is listed from its first subscriber on, with how many it has, until it ends") {
  tact::engine engine(quiet_options(2));
  const auto prices = engine.create(tact::topic<tick>(), tact::named("prices"));
  const auto news = engine.create(tact::topic<tick>(), tact::named("news"));
  CHECK(engine.structure().topics.empty());
  const auto a = engine.create(listener());
  const auto b = engine.create(listener());
  engine.ask(prices, tact::subscribe_topic<tick>{a});
  engine.ask(prices, tact::subscribe_topic<tick>{b});
  engine.ask(prices, tact::subscribe_topic<tick>{b});
  engine.ask(news, tact::subscribe_topic<tick>{b});
  auto s = engine.structure();
  CHECK(s.topics_alive == 2);
  REQUIRE(s.topics.size() == 2);
  if (s.topics[0].subscribers != 2) std::swap(s.topics[0], s.topics[1]);  // their threads may be two
  CHECK_THAT(s.topics[0].actor, Contains("prices ("));
  CHECK_THAT(s.topics[0].message, Contains("tick"));
  CHECK(s.topics[0].subscribers == 2);
  CHECK_THAT(s.topics[1].actor, Contains("news ("));
  CHECK(s.topics[1].subscribers == 1);
  CHECK_THAT(text_of(s), Contains(": 2 subscribers of "));
  engine.ask(news, tact::unsubscribe_topic<tick>{b});
  engine.ask(prices, tact::unsubscribe_topic<tick>{b});
  s = engine.structure();
  REQUIRE(s.topics.size() == 2);
  CHECK(s.topics[0].subscribers + s.topics[1].subscribers == 1);
  // A subscriber that ends leaves by itself.
  engine.send(a, tick{-1});
  require_idle(engine);
  s = engine.structure();
  CHECK(s.topics[0].subscribers + s.topics[1].subscribers == 0);
}

TEST_CASE("structure: a topic that has ended is listed no more, and one that outlives no engine does no harm") {
  std::optional<tact::engine> engine(std::in_place, quiet_options(1));
  {
    tact::scope group(*engine);
    const auto prices = group.create(tact::topic<tick>());
    engine->ask(prices, tact::subscribe_topic<tick>{engine->create(listener())});
    CHECK(engine->structure().topics.size() == 1);
  }
  CHECK(engine->structure().topics.empty());
  const auto left = engine->create(tact::topic<tick>());
  engine->ask(left, tact::subscribe_topic<tick>{engine->create(listener())});
  engine.reset();
}

TEST_CASE("structure: the timers that are due next are listed in their order, with actor and message, ten at most") {
  tact::engine engine(quiet_options(1));
  const auto sleeper = engine.create(deaf(), tact::named("sleeper"));
  std::vector<tact::timer> all;
  for (int i = 30; i > 0; --i) all.push_back(engine.send_after(std::chrono::hours(i), sleeper, word{}));
  auto s = structure_with_timers(engine);
  REQUIRE(s.timers.size() == 10);
  for (int i = 0; i < 10; ++i) {
    CHECK(s.timers[static_cast<std::size_t>(i)].left <= std::chrono::hours(i + 1));
    CHECK(s.timers[static_cast<std::size_t>(i)].left > std::chrono::hours(i + 1) - 10min);
  }
  CHECK_THAT(s.timers[0].actor, Contains("sleeper ("));
  CHECK_THAT(s.timers[0].message, Contains("word"));
  CHECK_THAT(text_of(s), Contains("next timers:\n  in ") && Contains("word for sleeper ("));
  // The next one, and some that are listed behind it, are cancelled.
  for (std::size_t i = 25; i < 30; ++i) CHECK(all[i].cancel());
  s = structure_with_timers(engine);
  REQUIRE(s.timers.size() == 10);
  CHECK(s.timers[0].left > 5h);
  // One that was looked at fires, can be cancelled, and is dropped, as any other.
  CHECK(all[24].cancel());
  CHECK(engine.statistics().timers_armed == 24);
  static_cast<void>(engine.send_after(1ms, sleeper, word{}));
  while (engine.statistics().timers_fired == 0) static_cast<void>(engine.structure());
  CHECK(structure_with_timers(engine).timers[0].left > 6h);
}

TEST_CASE("structure: a handler may look, and so may a thread after the engine has ended") {
  struct look {
    using reply = std::size_t;
  };
  tact::engine engine(quiet_options(1));
  const tact::scope group(engine);
  const auto looker = engine.create(tact::behavior<tact::request<look>>(
      [&](auto& self, const tact::request<look>& m) { self.reply(m, engine.structure().scopes.size()); }));
  CHECK(engine.ask(looker, look{}) == 1);
  static_cast<void>(engine.send_after(std::chrono::hours(1), looker, tact::request<look>{}));
  engine.drain();
  const auto s = engine.structure();
  CHECK(s.scopes.size() == 1);
  CHECK(s.timers_known);
  CHECK(s.timers.empty());
}

TEST_CASE("structure: threads may look while others open and close scopes, supervisors and topics, and set timers") {
  tact::engine engine(quiet_options(2));
  const auto sleeper = engine.create(deaf(), tact::named("sleeper"));
  const auto hearer = engine.create(listener());
  std::atomic<int> busy{3};
  const auto opens = [&](int seed) {
    for (int i = 0; i < scaled(300); ++i) {
      tact::scope outer(engine, tact::named("outer " + std::to_string(seed)));
      tact::scope inner(engine, outer);
      static_cast<void>(inner.create(deaf()));
      tact::supervisor over(engine, {.restarts = 1000, .name = "over"});
      const auto sum = over.create(tact::restarting([] { return open_sum(); }), tact::permanent);
      const tact::supervisor below(engine, over);
      engine.send(sum, trip{});
      engine.ask(outer.create(tact::topic<tick>()), tact::subscribe_topic<tick>{hearer});
      const auto near = engine.send_after(std::chrono::microseconds(i % 50), sleeper, word{});
      static_cast<void>(engine.send_after(std::chrono::seconds(100 + i), sleeper, word{}).cancel());
      if (i % 2 == 0) static_cast<void>(near.cancel());
    }
    --busy;
  };
  std::vector<std::thread> all;
  for (int i = 0; i < 3; ++i) all.emplace_back(opens, i);
  std::uint64_t seen = 0;
  while (busy != 0) {
    const auto s = engine.structure();
    seen += s.scopes.size() + s.supervised.size() + s.topics.size() + s.timers.size();
    for (const auto& d : s.scopes) seen += d.name.size();
  }
  for (std::thread& t : all) t.join();
  CHECK(seen > 0);
  require_idle(engine);
  const auto s = structure_with_timers(engine);
  CHECK(s.scopes_open == 0);
  CHECK(s.supervision_trees == 0);
  CHECK_THAT(text_of(s), !Contains("sleeper"));  // supervisors have timers of their own
  while (engine.structure().topics_alive != 0) {
  }
}

TEST_CASE("structure: a scope that a handler opens is listed while the handler runs, and no longer") {
  struct open_one {
    using reply = std::size_t;
  };
  tact::engine engine(quiet_options(2));
  const auto opener = engine.create(tact::behavior<tact::request<open_one>>([&](auto& self, const auto& m) {
    const tact::scope own(engine, tact::named("of a handler"));
    self.reply(m, engine.structure().scopes.size());
  }));
  CHECK(engine.ask(opener, open_one{}) == 1);
  require_idle(engine);
  CHECK(engine.structure().scopes.empty());
}

TEST_CASE("structure: in a simulation a seed gives the same list, whatever opens and closes meanwhile") {
  const auto e = tact::explore(
      static_cast<std::uint64_t>(scaled(60)),
      [](tact::simulation& sim) {
        auto& engine = sim.engine(quiet_options(2));
        const auto hearer = engine.create(listener());
        const auto prices = engine.create(tact::topic<tick>());
        std::vector<tact::timer> timers;
        for (int thread = 0; thread < 2; ++thread) {
          sim.start_thread([&, thread] {
            tact::scope outer(engine, tact::named("outer"));
            const tact::scope inner(engine, outer, tact::named("inner"));
            static_cast<void>(outer.create(deaf()));
            engine.ask(prices, tact::subscribe_topic<tick>{hearer});
            const auto due = engine.send_after(std::chrono::seconds(5 + thread), hearer, tick{});
            const auto s = engine.structure();
            sim.check(s.scopes_open >= 2 && s.scopes_open <= 4, "an open scope is missing, or a closed one is listed");
            sim.check(s.topics.size() == 1 && s.topics[0].subscribers == 1,
                      "the topic is missing, or its count is wrong");
            sim.check(s.timers_known && !s.timers.empty() && s.timers.size() <= 2, "a timer is missing");
            if (thread == 0) sim.check(due.cancel(), "a timer that was looked at cannot be cancelled");
          });
        }
        sim.run();
        sim.check(engine.structure().scopes.empty(), "a closed scope is listed");
        sim.end();
      },
      {.prints = false});
  INFO(e);
  CHECK(!e.failed);
}

}  // namespace structure_test
