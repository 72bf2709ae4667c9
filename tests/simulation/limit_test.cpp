// Every call that takes a duration or a time, with those that no clock can say.
#include <chrono>
#include <functional>
#include <limits>

#include "simulation/office.hpp"

namespace limit_test {

namespace {

using namespace tact::simulated_tests;
using namespace std::chrono_literals;

using seconds_of_double = std::chrono::duration<double>;
constexpr double infinity = std::numeric_limits<double>::infinity();

// One type that nanoseconds overflow, themselves, and one with values that are no numbers; the conversion is tested
// with more of them in unit/api/deadline_test.cpp.
template <class F>
void for_each_past(F f) {
  f(std::chrono::hours::min());
  f(std::chrono::hours(-1));
  f(std::chrono::nanoseconds::min());
  f(std::chrono::nanoseconds(0));
  f(seconds_of_double(-infinity));
  f(seconds_of_double(-1e300));
}
template <class F>
void for_each_far(F f) {
  f(std::chrono::hours::max());
  f(std::chrono::hours(24 * 365 * 200));
  f(std::chrono::nanoseconds::max());
  f(std::chrono::nanoseconds::max() - 1h);
  f(seconds_of_double(infinity));
  f(seconds_of_double(1e300));
  f(seconds_of_double(std::numeric_limits<double>::quiet_NaN()));
}

struct question {
  using reply = int;
};
struct slow : tact::protocol<tact::request<question>> {};

// Answers a second after it was asked, and ends.
tact::behavior<slow> open_slow() {
  return {[](tact::self<slow>& self, const tact::request<question>& m) {
    self.defer(m);
    self.send_after(1s, m.customer, 7);
    self.stop();
  }};
}

// Does what it is told, one after the other, and ends when that is done.
using order = std::function<void(tact::transaction&)>;
tact::behavior<order> open_hand() {
  return {[](tact::self<order>& self, const order& m) {
    m(self);
    self.stop();
  }};
}

// Asks, so it is done after a second.
order ask_slow(tact::engine& engine) {
  return [to = engine.create(open_slow(), tact::parallel)](tact::transaction& tx) { (void)tx.ask(to, question{}); };
}

// A simulation for each call and time, as some calls end the engine. True: what was waited for came in time.
using call = std::function<bool(tact::simulation&, tact::engine&)>;
bool play(const call& c, std::chrono::nanoseconds most) {
  tact::simulation sim(1);
  auto& engine = sim.engine(quiet_options(2));
  const auto begun = sim.now();
  const bool in_time = c(sim, engine);
  CHECK(sim.now() - begun <= most);
  return in_time;
}

// `make(limit)` is a call that waits a second for something.
template <class Make>
void require_limits(Make make) {
  for_each_past([&](auto limit) { CHECK_FALSE(play(make(limit), 0s)); });
  for_each_far([&](auto limit) { CHECK(play(make(limit), 1s)); });
}

}  // namespace

TEST_CASE("limit: an ask of a thread waits neither for ever nor not at all, whatever the limit", "[simulation]") {
  require_limits([](auto limit) -> call {
    return [=](auto&, tact::engine& e) { return e.ask(e.create(open_slow(), tact::parallel), question{}, limit) == 7; };
  });
  require_limits([](auto limit) -> call {
    return [=](auto&, tact::engine& e) {
      const std::vector<tact::ref<slow>> all{e.create(open_slow(), tact::parallel),
                                             e.create(open_slow(), tact::parallel)};
      const auto answers = e.ask_all(all, question{}, limit);
      return answers[0] == 7 && answers[1] == 7;
    };
  });
  require_limits([](auto limit) -> call {
    return [=](auto&, tact::engine& e) {
      const auto gate =
          e.create(tact::serializer<question>(e.create(open_slow(), tact::parallel), limit), tact::parallel);
      try {
        return e.ask(gate, question{}) == 7;
      } catch (const tact::ask_error&) {
        return false;
      }
    };
  });
}

TEST_CASE("limit: an ask of a handler waits neither for ever nor not at all, whatever the limit", "[simulation]") {
  require_limits([](auto limit) -> call {
    return [=](auto&, tact::engine& e) {
      bool answered = false;
      e.send(e.create(open_hand(), tact::parallel),
             order([&, to = e.create(open_slow(), tact::parallel)](tact::transaction& tx) {
               try {
                 answered = tx.ask(to, question{}, limit) == 7;
               } catch (const tact::ask_error&) {
               }
             }));
      e.wait_idle();
      return answered;
    };
  });
  require_limits([](auto limit) -> call {
    return [=](tact::simulation& sim, tact::engine& e) {
      bool answered = false;
      bool failed = false;
      e.send(e.create(open_hand(), tact::parallel),
             order([&, to = e.create(open_slow(), tact::parallel)](tact::transaction& tx) {
               tx.ask(
                   to, question{}, limit, [&](auto&, int) { answered = true; },
                   [&](auto&, const tact::failure&) { failed = true; });
             }));
      sim.run();
      if (!failed) sim.advance(1s);
      sim.check(answered != failed, "neither, or both");
      return answered;
    };
  });
}

TEST_CASE("limit: waiting for an engine or a scope ends as its limit says, whatever that is", "[simulation]") {
  const auto after_work = [](auto wait) {
    require_limits([=](auto limit) -> call {
      return [=](auto&, tact::engine& e) {
        e.send(e.create(open_hand(), tact::parallel), ask_slow(e));
        return wait(e, limit);
      };
    });
  };
  after_work([](tact::engine& e, auto limit) { return e.wait_idle(limit); });
  after_work([](tact::engine& e, auto limit) { return e.wait_finished(limit); });
  after_work([](tact::engine& e, auto limit) { return e.drain(limit); });
  require_limits([](auto limit) -> call {
    return [=](auto&, tact::engine& e) {
      tact::scope group(e);
      e.send(group.create(open_hand(), tact::parallel), ask_slow(e));
      return group.wait(limit);
    };
  });
  for_each_past([](auto limit) { (void)play([=](auto&, auto& e) { return e.cancel(limit); }, 0s); });
  for_each_far([](auto limit) { CHECK(play([=](auto&, auto& e) { return e.cancel(limit); }, 0s)); });
}

TEST_CASE("limit: who sends to a full mailbox waits as the limit says, whatever that is", "[simulation]") {
  require_limits([](auto limit) -> call {
    return [=](tact::simulation& sim, tact::engine& e) {
      auto stays = tact::behavior<order>{[](tact::self<order>& self, const order& m) { m(self); }};
      const auto full =
          e.create(std::move(stays), tact::mailbox_limit{.messages = 1, .when_full = tact::when_full::hold_back});
      e.send(full, ask_slow(e));
      sim.run();
      (void)e.try_send(full, order([](auto&) {}));
      return e.send_for(limit, full, order([](auto&) {})) == tact::send_result::sent;
    };
  });
}

TEST_CASE("limit: pumping goes on for as long as it is told, whatever that is", "[simulation]") {
  const auto pump = [](auto budget) {
    tact::simulation sim(1);
    auto options = quiet_options(0);
    auto& e = sim.engine(options);
    const auto a = e.create(tact::sink<line>(), tact::parallel);
    for (int i = 0; i < 10; ++i) e.send(a, line{i});
    return e.pump(1'000, budget).more;
  };
  for_each_far([&](auto budget) { CHECK_FALSE(pump(budget)); });
  for_each_past([&](auto budget) { (void)pump(budget); });
}

TEST_CASE("limit: timers fire at once or never, whatever their times", "[simulation]") {
  const auto fires = [](auto set) {
    tact::simulation sim(1);
    auto& e = sim.engine(quiet_options(2));
    int rings = 0;
    set(e, e.create(tact::behavior<line>{[&](auto&, const line&) { ++rings; }}, tact::parallel));
    sim.run();
    const bool at_once = rings == 1;
    sim.advance(24h * 365 * 100);
    CHECK(rings == (at_once ? 1 : 0));
    return at_once;
  };
  const auto check = [&](auto time, bool at_once) {
    using duration = decltype(time);
    const auto after = [=](tact::engine& e, tact::ref<line> to) { e.send_after(time, to, line{1}); };
    const auto at = [=](tact::engine& e, tact::ref<line> to) {
      e.send_at(std::chrono::time_point<std::chrono::steady_clock, duration>(time), to, line{1});
    };
    const auto by_calendar = [=](tact::engine& e, tact::ref<line> to) {
      e.send_at(std::chrono::time_point<std::chrono::system_clock, duration>(time), to, line{1});
    };
    CHECK(fires(after) == at_once);
    CHECK(fires(at) == at_once);
    CHECK(fires(by_calendar) == at_once);
    bool is_refused = false;
    const auto every = [&](tact::engine& e, tact::ref<line> to) {
      try {
        e.send_every(time, to, line{1});
      } catch (const tact::usage_error&) {
        is_refused = true;
      }
    };
    CHECK_FALSE(fires(every));
    CHECK(is_refused == !(time > time.zero()));
  };
  for_each_past([&](auto time) { check(time, true); });
  for_each_far([&](auto time) { check(time, false); });
}

TEST_CASE("limit: a context is over at once or never, whatever its deadline", "[simulation]") {
  const auto is_over = [](auto time, std::chrono::nanoseconds later) {
    tact::simulation sim(1);
    (void)sim.engine();
    using point = std::chrono::time_point<std::chrono::steady_clock, decltype(time)>;
    const auto c = tact::context().with_deadline(point(time));
    sim.advance(later);
    return c.is_over();
  };
  for_each_past([&](auto time) { CHECK(is_over(time, 0s)); });
  for_each_far([&](auto time) { CHECK_FALSE(is_over(time, 24h * 365 * 100)); });
}

TEST_CASE("limit: a simulation stays, or comes to the end of its time, however far it advances", "[simulation]") {
  for_each_past([](auto time) {
    tact::simulation sim(1);
    sim.advance(1s);
    sim.advance(time);
    CHECK(sim.now() == 1s);
  });
  for_each_far([](auto time) {
    tact::simulation sim(1);
    auto& e = sim.engine(quiet_options(2));
    for (int i = 0; i < 3; ++i) {
      sim.advance(time);
      CHECK(sim.now() >= 24h * 365 * 199);
      CHECK_FALSE(e.ask(e.create(open_slow(), tact::parallel), question{}, 0s));
      CHECK(e.wait_idle(time));
    }
  });
}

TEST_CASE("limit: the engine's own limits may be the longest that there are", "[simulation]") {
  tact::simulation s(1);
  auto options = quiet_options(2);
  options.ask_timeout = std::chrono::milliseconds::max();
  options.shutdown_timeout = std::chrono::milliseconds::max();
  auto& e = s.engine(options);
  const auto ask_one = [&] { return e.create(open_slow(), tact::parallel); };
  CHECK(e.ask(ask_one(), question{}) == 7);
  const std::vector<tact::ref<slow>> both{ask_one(), ask_one()};
  CHECK(e.ask_all(both, question{}) == std::vector<int>{7, 7});
  int heard = 0;
  e.send(e.create(open_hand(), tact::parallel),
         order([&, to = ask_one()](tact::transaction& tx) { heard = tx.ask(to, question{}); }));
  e.wait_idle();
  CHECK(heard == 7);
}

}  // namespace limit_test
