// A recorder with a focus, and what it keeps of workers and restarts.
#include <algorithm>
#include <set>
#include <sstream>
#include <string>

#include "support/engine_fixture.hpp"
#include "tact/inspect/recorder.hpp"
#include "tact/restarting.hpp"

namespace inspect_focus_test {

namespace {

using namespace tact::support;
using tact::inspect::event;
using tact::inspect::focus;
using tact::inspect::step;

struct coin {
  unsigned left = 0;
};
using purse = tact::protocol<coin>;

// Three actors; each hands coins on to the next one.
struct chain {
  template <class Creator>
  explicit chain(Creator& c) : third(c.create(to({}))), second(c.create(to(third))), first(c.create(to(second))) {}

  static tact::behavior<purse> to(tact::ref<purse> next) {
    return [next](auto& self, const coin& c) {
      if (c.left != 0) self.send(next, coin{c.left - 1});
    };
  }
  tact::ref<purse> third;
  tact::ref<purse> second;
  tact::ref<purse> first;
};

std::uint64_t address(tact::ref<purse> of) { return tact::detail::address_of(of) & ~tact::detail::index_mask; }

std::vector<event> all_of(const tact::inspect::trace& t, step what) {
  std::vector<event> found;
  std::copy_if(t.events().begin(), t.events().end(), std::back_inserter(found),
               [=](const event& e) { return e.what == what; });
  return found;
}

}  // namespace

TEST_CASE("recorder: of an actor in focus it keeps each message in and out, and which handler has sent it") {
  for (const unsigned workers : {0U, 1U, 4U}) {
    tact::engine engine(quiet_options(workers));
    const chain actors(engine);
    tact::inspect::recorder recorder(engine);
    recorder.focus_on(focus().on(actors.second));
    for (int n = 0; n < 100; ++n) engine.send(actors.first, coin{2});
    require_idle(engine);
    const auto t = recorder.read();
    const auto sent = all_of(t, step::sent);
    REQUIRE(sent.size() == 200);
    for (const event& e : sent) CHECK(e.actor != address(actors.first));
    // The handlers of the first actor are kept from their sends to the second one on, and none of the third.
    const auto begun = all_of(t, step::begun);
    CHECK(begun.size() == 200);
    for (const event& e : begun) CHECK(e.actor != address(actors.third));
    for (const event& e : sent) {
      const auto cause = std::find_if(begun.begin(), begun.end(), [&](const event& b) { return b.message == e.cause; });
      REQUIRE(cause != begun.end());
      CHECK(cause->actor == (e.actor == address(actors.second) ? address(actors.first) : address(actors.second)));
    }
  }
}

TEST_CASE("recorder: a focus on types and on scopes has their actors in it, and an empty one has all") {
  tact::engine engine(quiet_options(1));
  tact::scope group(engine);
  const chain inside(group);
  const chain outside(engine);
  tact::inspect::recorder recorder(engine);
  const auto begun_by = [&](const focus& f) {
    recorder.focus_on(f);
    const auto before = all_of(recorder.read(), step::begun).size();
    engine.send(inside.first, coin{2});
    engine.send(outside.first, coin{2});
    require_idle(engine);
    return all_of(recorder.read(), step::begun).size() - before;
  };
  CHECK(begun_by(focus()) == 6);
  CHECK(begun_by(focus().on(group)) == 3);
  CHECK(begun_by(focus().on_type("no such type")) == 0);
  CHECK(begun_by(focus().on(outside.third)) == 2);
  const std::string type(all_of(recorder.read(), step::begun).front().actor_type);
  CHECK(begun_by(focus().on_type(type)) == 6);
  CHECK(begun_by(focus()) == 6);
}

TEST_CASE("recorder: a worker that sleeps is recorded as asleep until it wakes") {
  tact::engine engine(quiet_options(1));
  const chain actors(engine);
  tact::inspect::recorder recorder(engine);
  const auto parks = [&] { return engine.worker_statistics().front().parks; };
  engine.send(actors.first, coin{2});
  require_idle(engine);
  // The worker knows its track from its first message on, so it records that it parks from then on.
  for (auto before = parks(); parks() == before;) std::this_thread::yield();
  engine.send(actors.first, coin{2});
  require_idle(engine);
  const auto t = recorder.read();
  const auto parked = all_of(t, step::parked);
  const auto woke = all_of(t, step::woke);
  REQUIRE(!parked.empty());
  REQUIRE(!woke.empty());
  CHECK(parked.size() >= woke.size());
  std::ostringstream json;
  t.write_chrome_json(json);
  CHECK(json.str().find(R"("name":"asleep")") != std::string::npos);
}

TEST_CASE("recorder: a restart stands behind the failure that led to it") {
  tact::engine_options options = quiet_options(1);
  options.on_failure = [](const tact::failure_report&) {};
  tact::engine engine(options);
  const auto actor = engine.create(tact::restarting([] {
                                     return tact::behavior<coin>([](auto&, const coin& c) {
                                       if (c.left == 0) throw std::runtime_error("no coin is left");
                                     });
                                   }),
                                   tact::failure_rule(tact::failure_policy::restart));
  tact::inspect::recorder recorder(engine);
  engine.send(actor, coin{0});
  engine.send(actor, coin{1});
  require_idle(engine);
  const auto t = recorder.read();
  const auto restarted = all_of(t, step::restarted);
  REQUIRE(restarted.size() == 1);
  CHECK(restarted.front().actor == (tact::detail::address_of(actor) & ~tact::detail::index_mask));
  const auto over = all_of(t, step::over);
  REQUIRE(over.size() == 2);
  CHECK(restarted.front().cause == over.front().message);
  CHECK(over.front().how == tact::inspect::outcome::failed);
}

}  // namespace inspect_focus_test
