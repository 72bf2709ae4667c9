// Scopes: their members end together, nothing of them is left, and everything is accounted for.
#include <optional>

#include "support/captured_stderr.hpp"
#include "support/engine_fixture.hpp"

namespace scope_test {

namespace {

using namespace tact::support;
using tact::end_reason;

struct note {};
struct stop {};
struct trip {};
struct query {
  using reply = int;
};
struct worker : tact::protocol<note, stop, trip, tact::request<query>> {};

// Counts what it handles in the test's own memory, so that a run after the scope's end would be seen by a sanitizer.
tact::behavior<worker> open_worker(std::atomic<int>& handled, tracked kept = {}) {
  return {[&handled, kept](auto&, const note&) { ++handled; },
          [](tact::self<worker>& self, const stop&) { self.stop(); },
          [](auto&, const trip&) { throw std::runtime_error("tripped"); },
          [](auto& self, const tact::request<query>& m) { self.reply(m, 1); }};
}

class classic_worker : public tact::actor<classic_worker, worker> {
 public:
  explicit classic_worker(std::atomic<int>& handled) : handled_(&handled) {}
  void receive(tact::self<classic_worker>&, const note&) { ++*handled_; }
  void receive(tact::self<classic_worker>& self, const stop&) { self.stop(); }
  void receive(tact::self<classic_worker>&, const trip&) { throw std::runtime_error("tripped"); }
  void receive(tact::self<classic_worker>& self, const tact::request<query>& m) { self.reply(m, 1); }

 private:
  std::atomic<int>* handled_;
  tracked kept_;
};

std::vector<tact::ref<worker>> one_of_each(tact::scope& group, std::atomic<int>& handled) {
  return {group.create(open_worker(handled), tact::parallel),
          group.create(open_worker(handled)),
          group.create(open_worker(handled), tact::heavy, tact::named("heavy")),
          group.create(open_worker(handled), tact::blocking),
          group.spawn<classic_worker>(handled),
          group.spawn<classic_worker>(tact::blocking, handled)};
}

template <class P>
bool alive(tact::engine& engine, tact::ref<P> a) {
  try {
    return engine.ask(a, query{}) == 1;
  } catch (const tact::ask_error&) {
    return false;
  }
}

}  // namespace

TEST_CASE("scope: all members end with it, however they are placed, and nothing of them is left", "[law4]") {
  TACT_FOR_EACH_WORKER_COUNT(workers);
  const nothing_left left;
  tact::engine engine(quiet_options(workers));
  for (int round = 0; round < scaled(50); ++round) {
    std::atomic<int> handled{0};
    std::vector<tact::ref<worker>> members;
    const auto apart = engine.create(tact::sink<worker>(), tact::parallel);
    {
      tact::scope group(engine);
      members = one_of_each(group, handled);
      REQUIRE(group.size() == members.size());
      for (const auto m : members) {
        for (int i = 0; i < 20; ++i) m | note{};
      }
      if (round % 2 == 0) require_idle(engine);
    }
    // The destructor waited: no behaviour is left, although workers may have been running them.
    REQUIRE(tracked::alive == 0);
    const int seen = handled;
    if (round % 2 == 0) REQUIRE(seen == 120);
    for (const auto m : members) REQUIRE_FALSE(alive(engine, m));
    apart | stop{};
    require_idle(engine);
    REQUIRE(handled == seen);
    REQUIRE(engine.statistics().actors_alive == std::uint64_t(round) + 1);
  }
}

TEST_CASE("scope: what its thread sent to ordered and classic members before its end is handled", "[law5]") {
  TACT_FOR_EACH_WORKER_COUNT(workers);
  std::atomic<int> handled{0};
  tact::engine engine(quiet_options(workers));
  for (int round = 0; round < scaled(100); ++round) {
    tact::scope group(engine);
    const auto a = group.create(open_worker(handled));
    const auto b = group.spawn<classic_worker>(handled);
    for (int i = 0; i < 10; ++i) a | note{};
    for (int i = 0; i < 10; ++i) b | note{};
    group.end();
    a | note{};
    group.wait();
    REQUIRE(group.size() == 0);
  }
  require_idle(engine);
  CHECK(handled == 20 * scaled(100));
  CHECK(engine.statistics().dead_letters == std::uint64_t(scaled(100)));
}

TEST_CASE("scope: members that end for themselves leave it, and many in a row hold no memory", "[law10]") {
  TACT_FOR_EACH_WORKER_COUNT(workers);
  const nothing_left left;
  std::atomic<int> handled{0};
  tact::engine engine(quiet_options(workers));
  tact::scope group(engine);
  for (int i = 0; i < scaled(20'000); ++i) {
    group.create(open_worker(handled), tact::parallel) | stop{};
    if (i % 100 == 0) require_idle(engine);
  }
  CHECK(group.wait(generous));
  CHECK(group.size() == 0);
  require_idle(engine);
  CHECK(engine.statistics().actors_alive == 0);
}

TEST_CASE("scope: a member's handler makes members by the scope, at its commit, and others by itself", "[law1]") {
  TACT_FOR_EACH_WORKER_COUNT(workers);
  const nothing_left left;
  tact::engine engine(quiet_options(workers));
  std::atomic<int> handled{0};
  tact::ref<worker> alone;
  {
    tact::scope group(engine);
    struct make {
      bool keep;
    };
    const auto maker = group.create(tact::behavior<make>{[&](tact::self<make>& self, const make& m) {
      static_cast<void>(group.create(open_worker(handled), tact::parallel));
      group.spawn<classic_worker>(handled) | note{};
      if (!m.keep) throw std::runtime_error("no");
      alone = self.create(open_worker(handled), tact::parallel);
    }});
    maker | make{true} | make{false};
    require_idle(engine);
    CHECK(group.size() == 3);
    CHECK(handled == 1);
  }
  require_idle(engine);
  CHECK(engine.statistics().actors_alive == 1);
  CHECK(alive(engine, alone));
  alone | stop{};
  engine.wait_finished();
}

TEST_CASE("scope: whoever is made while it ends, or after that, ends too", "[law4]") {
  TACT_FOR_EACH_WORKER_COUNT(workers);
  const nothing_left left;
  for (int round = 0; round < scaled(40); ++round) {
    std::atomic<int> handled{0};
    tact::engine engine(quiet_options(workers));
    struct make {};
    // Outside of the scope, so it goes on making members.
    tact::scope group(engine);
    const auto maker = engine.create(
        tact::behavior<make>{[&](auto&, const make&) { group.create(open_worker(handled), tact::parallel) | note{}; }},
        tact::parallel);
    for (int i = 0; i < 100; ++i) engine.send(maker, make{}, tact::spread);
    on_threads(3, [&](unsigned thread) {
      for (int i = 0; i < 30; ++i) {
        if (thread != 0) static_cast<void>(group.create(open_worker(handled)));
        if (thread == 0 && i == 15) group.end();
      }
    });
    require_idle(engine);
    REQUIRE(group.wait(generous));
    require_idle(engine);
    REQUIRE(engine.statistics().actors_alive == 1);
    require_accounted(engine);
  }
}

TEST_CASE("scope: one inside another ends with it, and has its failure rule", "[law8]") {
  TACT_FOR_EACH_WORKER_COUNT(workers);
  const nothing_left left;
  std::atomic<int> handled{0};
  tact::engine engine(quiet_options(workers));
  tact::scope outer(engine, tact::failure_policy::end);
  tact::scope inner(engine, outer);
  tact::scope patient(engine, outer, tact::failure_policy::go_on);
  const auto a = inner.create(open_worker(handled), tact::parallel);
  const auto b = patient.spawn<classic_worker>(handled);
  const auto c = patient.create(open_worker(handled), tact::failure_rule(tact::failure_policy::end), tact::parallel);
  const auto d = outer.create(open_worker(handled), tact::parallel);
  CHECK(outer.size() == 4);
  for (const auto r : {a, tact::ref<worker>(b), c}) r | trip{};
  require_idle(engine);
  CHECK_FALSE(alive(engine, a));
  CHECK(alive(engine, b));
  CHECK_FALSE(alive(engine, c));
  CHECK(alive(engine, d));
  outer.end();
  CHECK(outer.wait(generous));
  CHECK(patient.size() == 0);
  static_cast<void>(inner.create(open_worker(handled), tact::parallel));
  CHECK(outer.wait(generous));
  require_idle(engine);
  CHECK(engine.statistics().actors_alive == 0);
}

TEST_CASE("scope: monitors say that it ended; nothing of it is a dead letter", "[law4]") {
  TACT_FOR_EACH_WORKER_COUNT(workers);
  std::atomic<int> handled{0};
  std::atomic<int> told{0};
  tact::engine engine(quiet_options(workers));
  const auto ear = engine.create(tact::behavior<tact::ended>{[&](auto&, const tact::ended& e) {
                                   told += e.reason == end_reason::scope_ended ? 1 : 100;
                                 }},
                                 tact::parallel);
  {
    tact::scope group(engine);
    for (const auto m : one_of_each(group, handled)) engine.monitor(m, ear);
    require_idle(engine);
  }
  require_idle(engine);
  CHECK(told == 6);
  CHECK(engine.statistics().dead_letters == 0);
}

TEST_CASE("scope: in a handler it ends without waiting; waiting there is refused by name", "[law11]") {
  TACT_FOR_EACH_WORKER_COUNT(workers);
  const nothing_left left;
  std::atomic<int> handled{0};
  std::string refusal;
  tact::engine engine(quiet_options(workers));
  struct go {};
  auto held = std::make_shared<std::optional<tact::scope>>();
  held->emplace(engine);
  static_cast<void>(one_of_each(**held, handled));
  engine.create(tact::behavior<go>{[&, held](tact::self<go>& self, const go&) {
                  try {
                    (*held)->wait();
                  } catch (const tact::usage_error& e) {
                    refusal = e.what();
                  }
                  held->reset();
                  self.stop();
                }},
                tact::parallel) |
      go{};
  CHECK(engine.wait_finished(generous));
  CHECK(refusal.find("scope.wait") != std::string::npos);
}

TEST_CASE("scope: one that outlives its engine, or is used after its end, waits for nobody", "[law11]") {
  TACT_FOR_EACH_WORKER_COUNT(workers);
  const nothing_left left;
  std::atomic<int> handled{0};
  {
    tact::engine engine(quiet_options(workers));
    tact::scope group(engine);
    static_cast<void>(one_of_each(group, handled));
    engine.cancel();
    CHECK(group.wait(generous));
    static_cast<void>(group.create(open_worker(handled), tact::parallel));
    CHECK(group.wait(generous));
  }
  std::optional<tact::engine> engine(std::in_place, quiet_options(workers));
  tact::scope group(*engine);
  static_cast<void>(one_of_each(group, handled));
  engine.reset();
  CHECK(group.size() == 0);
}

TEST_CASE("scope: a group made by it, outside and in a handler, is of members; one that is not made leaves none",
          "[law1][law4]") {
  TACT_FOR_EACH_WORKER_COUNT(workers);
  const nothing_left left;
  std::atomic<int> handled{0};
  tact::engine engine(quiet_options(workers));
  enum class how { keep, fail, fail_in_make, half };
  struct make {
    how what;
  };
  for (int round = 0; round < scaled(50); ++round) {
    tact::scope group(engine);
    const auto three = [&](tact::ref<worker>, tact::ref<worker>, tact::ref<worker>) {
      return std::tuple{open_worker(handled), open_worker(handled), open_worker(handled)};
    };
    const auto half = [&](tact::ref<worker>, tact::ref<worker>) {
      return std::tuple{open_worker(handled), tact::behavior<worker>()};
    };
    const auto none = [&](tact::ref<worker>,
                          tact::ref<worker>) -> std::tuple<tact::behavior<worker>, tact::behavior<worker>> {
      throw std::runtime_error("no");
    };
    const auto maker = engine.create(tact::behavior<make>{[&](tact::self<make>& self, const make& m) {
      if (m.what == how::fail_in_make) static_cast<void>(group.create_group(none, tact::parallel));
      if (m.what == how::half) static_cast<void>(group.create_group(half, tact::parallel));
      if (m.what != how::half) std::get<0>(group.create_group(three, tact::parallel)) | note{};
      if (m.what == how::fail) throw std::runtime_error("no");
      self.become(tact::unchanged);
    }});
    const int before = handled;
    std::get<1>(group.create_group(three)) | note{};
    static_cast<void>(group.create_group(half, tact::parallel));
    CHECK_THROWS_AS(group.create_group(none, tact::parallel), std::runtime_error);
    maker | make{how::keep} | make{how::fail} | make{how::fail_in_make} | make{how::half};
    require_idle(engine);
    REQUIRE(group.size() == 8);
    REQUIRE(handled == before + 2);
    group.end();
    group.wait();
    // An actor that is made now ends at once.
    const auto late = std::get<2>(group.create_group(three, tact::parallel));
    maker | make{how::keep};
    require_idle(engine);
    group.wait();
    REQUIRE_FALSE(alive(engine, late));
    maker | make{how::fail};
    require_idle(engine);
    REQUIRE(group.size() == 0);
    REQUIRE(engine.statistics().actors_alive == std::uint64_t(round) + 1);
  }
}

}  // namespace scope_test
