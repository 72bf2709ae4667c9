// Metrics of requests: which actors answer theirs, and which keep them; and of messages that lead to more messages.
#include <algorithm>
#include <chrono>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "support/engine_fixture.hpp"
#include "tact/future.hpp"
#include "tact/inspect/metrics.hpp"
#include "tact/simulation.hpp"

namespace inspect_requests_test {

namespace {

using namespace std::chrono_literals;
using namespace tact::support;
using tact::inspect::metrics;
using tact::inspect::metrics_snapshot;
using tact::inspect::type_metrics;

struct load {
  using reply = int;
  int number = 0;
};
struct answer_all {};

// So many that some of them are samples.
constexpr int many = 4000;

// Keeps each request until it is told to answer them.
class keeper : public tact::actor<keeper, tact::request<load>, answer_all> {
 public:
  void receive(tact::self<keeper>& self, const tact::request<load>& m) {
    kept_.push_back(m);
    self.defer(m);
  }
  void receive(tact::self<keeper>& self, const answer_all&) {
    for (const auto& m : kept_) self.reply(m, m.body.number);
    kept_.clear();
  }

 private:
  std::vector<tact::request<load>> kept_;
};
class prompt : public tact::actor<prompt, tact::request<load>> {
 public:
  void receive(tact::self<prompt>& self, const tact::request<load>& m) { self.reply(m, m.body.number); }
};
class silent : public tact::actor<silent, tact::request<load>> {
 public:
  void receive(tact::self<silent>&, const tact::request<load>&) {}
};
class relay : public tact::actor<relay, tact::request<load>> {
 public:
  explicit relay(tact::ref<keeper> to) : to_(to) {}
  void receive(tact::self<relay>& self, const tact::request<load>& m) { self.send(to_, m); }

 private:
  const tact::ref<keeper> to_;
};
class waiting : public tact::actor<waiting, tact::request<load>> {
 public:
  explicit waiting(tact::ref<keeper> on) : on_(on) {}
  void receive(tact::self<waiting>& self, const tact::request<load>& m) { self.reply(m, self.ask(on_, m.body)); }

 private:
  const tact::ref<keeper> on_;
};

// Asks, and does not wait.
template <class R>
void ask_often(tact::engine& engine, R whom, int times = many) {
  for (int n = 0; n < times; ++n) {
    engine.ask(
        whom, load{n}, [](auto&& f) { f(); }, [](int) {}, [](const tact::failure&) {});
  }
}

type_metrics of(const metrics_snapshot& s, std::string_view type) {
  const auto at = std::find_if(s.types.begin(), s.types.end(),
                               [&](const type_metrics& t) { return t.actor.find(type) != std::string::npos; });
  return at == s.types.end() ? type_metrics{} : *at;
}

}  // namespace

TEST_CASE("requests: what an actor has deferred is kept, with its name and how long, until it is answered") {
  tact::engine engine(quiet_options(1));
  const metrics measured(engine);
  const auto k = engine.spawn<keeper>(tact::named("the bank"));
  ask_often(engine, k);
  require_idle(engine);
  metrics_snapshot s = measured.read();
  REQUIRE(!s.kept.empty());
  CHECK(s.kept.front().actor.starts_with("the bank (keeper@"));
  CHECK(s.kept.front().message == "request<load>");
  CHECK(s.kept.front().kept > 0s);
  CHECK(std::is_sorted(s.kept.begin(), s.kept.end(), [](auto& a, auto& b) { return a.kept > b.kept; }));
  CHECK(of(s, "keeper").answered + of(s, "keeper").unanswered == 0);
  CHECK(measured.read().kept.front().kept > s.kept.front().kept);

  engine.send(k, answer_all{});
  require_idle(engine);
  s = measured.read();
  CHECK(s.kept.empty());
  CHECK(of(s, "keeper").answered > 0);
  CHECK(of(s, "keeper").unanswered == 0);
}

TEST_CASE("requests: those that a handler answers are not kept, and those that it leaves are unanswered") {
  tact::engine engine(quiet_options(2));
  const metrics measured(engine);
  ask_often(engine, engine.spawn<prompt>());
  ask_often(engine, engine.spawn<silent>());
  require_idle(engine);
  const metrics_snapshot s = measured.read();
  CHECK(s.kept.empty());
  CHECK(of(s, "prompt").answered > 0);
  CHECK(of(s, "prompt").unanswered == 0);
  CHECK(of(s, "silent").answered == 0);
  CHECK(of(s, "silent").unanswered > 0);
}

TEST_CASE("requests: one that is passed on is kept by the actor to which it was passed") {
  tact::engine engine(quiet_options(1));
  const metrics measured(engine);
  const auto k = engine.spawn<keeper>();
  ask_often(engine, engine.spawn<relay>(k));
  require_idle(engine);
  const metrics_snapshot s = measured.read();
  REQUIRE(!s.kept.empty());
  for (const auto& r : s.kept) CHECK(r.actor.starts_with("keeper@"));
  CHECK(of(s, "relay").answered + of(s, "relay").unanswered == 0);
  engine.send(k, answer_all{});
  require_idle(engine);
}

TEST_CASE("requests: an actor whose handler waits keeps the request that it handles") {
  tact::engine engine(quiet_options(1));
  const metrics measured(engine);
  const auto k = engine.spawn<keeper>();
  std::vector<tact::ref<waiting>> all;
  for (int n = 0; n < many / 4; ++n) all.push_back(engine.spawn<waiting>(k));
  for (const auto& w : all) ask_often(engine, w, 1);
  while (engine.statistics().waiting != all.size()) std::this_thread::yield();
  metrics_snapshot s = measured.read();
  CHECK(std::any_of(s.kept.begin(), s.kept.end(), [](auto& r) { return r.actor.starts_with("waiting@"); }));
  engine.send(k, answer_all{});
  require_idle(engine);
  s = measured.read();
  CHECK(s.kept.empty());
  CHECK(of(s, "waiting").answered > 0);
  CHECK(of(s, "waiting").unanswered == 0);
}

TEST_CASE("requests: those whose time limit passes are unanswered, whichever way they were asked") {
  tact::simulation sim(1);
  tact::engine& engine = sim.engine(quiet_options(1));
  const metrics measured(engine);
  const auto k = engine.spawn<keeper>();
  std::uint64_t before = 0;
  const auto check = [&](const char* how) {
    CAPTURE(how);
    const metrics_snapshot s = measured.read();
    CHECK(s.kept.empty());
    CHECK(of(s, "keeper").answered == 0);
    CHECK(of(s, "keeper").unanswered > before);
    before = of(s, "keeper").unanswered;
  };
  for (int n = 0; n < 300; ++n) CHECK(!engine.ask(k, load{n}, 5s));
  check("by a thread");
  const auto asking = [&](auto handler) {
    for (int n = 0; n < 300; ++n) engine.send(engine.create(tact::behavior<answer_all>(handler)), answer_all{});
    sim.advance(1h);
  };
  asking([=](auto& self, const answer_all&) {
    self.ask(
        k, load{}, 5s, [](auto&, int) {}, [](auto&, const tact::failure&) {});
  });
  check("by a handler with a continuation");
  asking([=](auto& self, const answer_all&) {
    try {
      static_cast<void>(self.ask(k, load{}, 5s));
    } catch (const tact::ask_error&) {
    }
  });
  check("by a handler that waits");
}

TEST_CASE("requests: asks of threads outside count as open until they are over, however they end") {
  tact::engine engine(quiet_options(2));
  const auto open = [&] { return engine.statistics().outside_asks; };
  CHECK(open() == 0);
  const auto k = engine.spawn<keeper>();
  const auto p = engine.spawn<prompt>();
  ask_often(engine, k, 5);
  auto later = engine.ask_future(k, load{6});
  CHECK(open() == 6);
  CHECK(!engine.ask(k, load{}, 1ms));
  CHECK(engine.ask(p, load{7}) == 7);
  CHECK_THROWS_AS(engine.ask(engine.spawn<silent>(), load{}), tact::ask_error);
  CHECK(engine.ask_all(std::vector{p, p, p}, load{8}) == std::vector{8, 8, 8});
  CHECK(engine.ask_all(std::vector{k, k}, load{}, 1ms).size() == 2);
  CHECK(open() == 6);
  std::ostringstream text;
  write_prometheus(text, metrics_of(metrics(engine).read()));
  CHECK(text.str().find("\ntact_outside_asks_open 6\n") != std::string::npos);
  engine.send(k, answer_all{});
  require_idle(engine);
  CHECK(later.get() == 6);
  CHECK(open() == 0);
  later = engine.ask_future(k, load{});
  CHECK(engine.drain(generous));
  CHECK_THROWS_AS(later.get(), tact::ask_error);
  CHECK(open() == 0);
}

// -- messages that lead to more

namespace {

struct step {
  int left = 0;
};
class handing_on : public tact::actor<handing_on, step> {
 public:
  void receive(tact::self<handing_on>& self, const step& m) {
    if (m.left > 0) self.send(self.ref(), step{m.left - 1});
  }
};
// Sends one for each that it takes; what it would have sent before takes no effect.
class thinking_again : public tact::actor<thinking_again, step> {
 public:
  void receive(tact::self<thinking_again>& self, const step& m) {
    for (int n = 0; n < 3; ++n) self.send(self.ref(), step{});
    self.discard();
    if (m.left > 0) self.send(self.ref(), step{m.left - 1});
  }
};
// Sends four for each that it takes.
class fanning_out : public tact::actor<fanning_out, step> {
 public:
  explicit fanning_out(tact::ref<handing_on> leaf) : leaf_(leaf) {}
  void receive(tact::self<fanning_out>& self, const step& m) {
    for (int n = 0; n < 3; ++n) self.send(leaf_, step{});
    if (m.left > 0) self.send(self.ref(), step{m.left - 1});
  }

 private:
  const tact::ref<handing_on> leaf_;
};

}  // namespace

TEST_CASE("requests: metrics say how many messages the handlers of a type send") {
  tact::engine engine(quiet_options(1));
  const metrics measured(engine);
  const auto leaf = engine.spawn<handing_on>();
  engine.send(leaf, step{100'000});
  require_idle(engine);
  const type_metrics before = of(measured.read(), "handing_on");
  CHECK(before.sent > 0.8 * before.messages);
  CHECK(before.sent < 1.2 * before.messages);
  engine.send(engine.spawn<fanning_out>(leaf), step{100'000});
  require_idle(engine);
  const metrics_snapshot s = measured.read();
  const type_metrics fan = of(s, "fanning_out"), after = of(s, "handing_on");
  CHECK(fan.sent > 3.5 * fan.messages);
  CHECK(fan.sent < 4.5 * fan.messages);
  CHECK(after.messages > before.messages + 200'000);
  CHECK(after.sent < 1.05 * before.sent);
  engine.send(engine.spawn<thinking_again>(), step{100'000});
  require_idle(engine);
  const type_metrics again = of(measured.read(), "thinking_again");
  CHECK(again.sent > 0.8 * again.messages);
  CHECK(again.sent < 1.2 * again.messages);
}

TEST_CASE("requests: in a simulation messages wait in virtual time, and handlers take none") {
  tact::simulation sim(1);
  tact::engine& engine = sim.engine(quiet_options(1));
  const metrics measured(engine);
  const auto k = engine.spawn<keeper>();
  // Of three messages the second waits for 3 s, and the third for 6, while the handlers of those before them wait.
  const auto w = engine.create(tact::behavior<step>([=](auto& self, const step&) {
    self.send_after(3s, k, answer_all{});
    static_cast<void>(self.ask(k, load{}));
  }));
  constexpr int steps = 300;
  for (int n = 0; n < steps; ++n) {
    for (int i = 0; i < 3; ++i) engine.send(w, step{});
    sim.advance(9s);
  }
  const metrics_snapshot s = measured.read();
  const type_metrics waited = of(s, "step");
  REQUIRE(waited.waiting.count() > 2);
  CHECK(waited.handling.count() > 2);
  CHECK(waited.handling.max() == 0);
  CHECK(waited.waiting.min() == 0);
  CHECK(waited.waiting.max() > 5'600'000'000);
  CHECK(waited.waiting.max() < 6'400'000'000);
  CHECK(of(s, "keeper").waiting.max() == 0);
}

}  // namespace inspect_requests_test
