// Owners: an actor ends with its last one, once, behind what was sent to it, whatever becomes of the runs around it.
#include "support/engine_fixture.hpp"

namespace owner_test {

namespace {

using namespace tact::support;
using tact::owned;
using tact::owner;

struct note {
  int number = 0;
};
struct stop {};
struct counted : tact::protocol<note, stop> {};

tact::behavior<counted> open_counted(std::atomic<int>& seen, tracked kept = {}) {
  return {[&seen, kept](auto&, const note& m) { seen += m.number; },
          [](tact::self<counted>& self, const stop&) { self.stop(); }};
}

class classic_counted : public tact::actor<classic_counted, counted> {
 public:
  explicit classic_counted(std::atomic<int>& seen) : seen_(&seen) {}
  void receive(tact::self<classic_counted>&, const note& m) { *seen_ += m.number; }
  void receive(tact::self<classic_counted>& self, const stop&) { self.stop(); }

 private:
  std::atomic<int>* seen_;
  tracked kept_;
};

}  // namespace

TEST_CASE("owner: the last one ends the actor behind what its thread has sent, however it is placed", "[law5]") {
  TACT_FOR_EACH_WORKER_COUNT(workers);
  const nothing_left left;
  std::atomic<int> seen{0};
  tact::engine engine(quiet_options(workers));
  const auto play = [&](auto make) {
    seen = 0;
    auto first = make();
    REQUIRE(first);
    auto second = first;
    CHECK(first == second);
    for (int i = 0; i < 50; ++i) first.ref() | note{1};
    first.reset();
    CHECK_FALSE(first);
    CHECK_FALSE(first.ref());
    require_idle(engine);
    CHECK(engine.statistics().actors_alive == 1);
    for (int i = 0; i < 50; ++i) second.ref() | note{1};
    auto third = std::move(second);
    third = {};
    CHECK(engine.wait_finished(generous));
    CHECK(engine.dead_letters().empty());
    CHECK(seen == 100);
  };
  play([&] { return engine.create(open_counted(seen), owned); });
  play([&] { return engine.create(open_counted(seen), owned, tact::heavy); });
  play([&] { return engine.create(open_counted(seen), owned, tact::blocking, tact::named("b")); });
  play([&] { return engine.spawn<classic_counted>(owned, seen); });
  play([&] { return engine.spawn<classic_counted>(tact::blocking, owned, seen); });
  auto parallel = engine.create(open_counted(seen), owned, tact::parallel);
  parallel.reset();
  CHECK(engine.wait_finished(generous));
}

TEST_CASE("owner: kept in messages, behaviours and members, it counts", "[law4]") {
  TACT_FOR_EACH_THREAD_COUNT(workers);
  const nothing_left left;
  struct hand {
    owner<counted> of;
  };
  struct drop {};
  struct keeper : tact::protocol<hand, drop> {
    static tact::behavior<keeper> open(owner<counted> kept = {}) {
      return {[kept](tact::self<keeper>& self, const hand& m) {
                m.of.ref() | note{1};
                self.become(open(m.of));
              },
              [kept](tact::self<keeper>& self, const drop&) {
                kept.ref() | note{1};
                self.become(open());
              }};
    }
  };
  std::atomic<int> seen{0};
  tact::engine engine(quiet_options(workers));
  for (const bool is_ordered : {false, true}) {
    const auto k = is_ordered ? engine.create(keeper::open()) : engine.create(keeper::open(), tact::parallel);
    for (int i = 0; i < scaled(200); ++i) {
      seen = 0;
      k | hand{engine.create(open_counted(seen), owned)};
      require_idle(engine);
      REQUIRE(seen == 1);
      REQUIRE(tracked::alive == 1);
      k | drop{};
      // The behaviour that kept it goes when no worker can see it any more.
      const auto until = std::chrono::steady_clock::now() + generous;
      while (tracked::alive != 0 && std::chrono::steady_clock::now() < until) std::this_thread::yield();
      REQUIRE(tracked::alive == 0);
      REQUIRE(seen == 2);
    }
  }
  CHECK(engine.dead_letters().empty());
}

TEST_CASE("owner: of an actor made in a run that does not commit owns nothing, and ends nobody", "[law1]") {
  TACT_FOR_EACH_WORKER_COUNT(workers);
  const nothing_left left;
  std::atomic<int> seen{0};
  tact::engine engine(quiet_options(workers));
  enum class fate { commit, discard, fail };
  struct make {
    fate how;
  };
  const auto maker = engine.create(tact::behavior<make>{[&](tact::self<make>& self, const make& m) {
                                     const auto mine = self.create(open_counted(seen), owned);
                                     mine.ref() | note{1};
                                     if (m.how == fate::discard) self.discard();
                                     if (m.how == fate::fail) throw std::runtime_error("no");
                                   }},
                                   tact::parallel);
  for (int i = 0; i < 300; ++i) engine.send(maker, make{static_cast<fate>(i % 3)}, tact::spread);
  require_idle(engine);
  CHECK(seen == 100);
  CHECK(engine.statistics().actors_created == 101);
  CHECK(engine.statistics().actors_alive == 1);
  CHECK(tracked::alive == 0);
  CHECK(engine.dead_letters().empty());
}

TEST_CASE("owner: one that goes in a run that fails has gone, and its actor ends once", "[law1]") {
  TACT_FOR_EACH_WORKER_COUNT(workers);
  const nothing_left left;
  std::atomic<int> seen{0};
  std::atomic<int> told{0};
  auto options = quiet_options(workers);
  options.classic_failure = tact::failure_policy::go_on;
  tact::engine engine(options);
  struct drop {};
  struct holder : tact::actor<holder, drop> {
    explicit holder(owner<counted> o) : kept(std::move(o)) {}
    void receive(tact::self<holder>&, const drop&) {
      kept.ref() | note{100};
      kept.reset();
      throw std::runtime_error("no");
    }
    owner<counted> kept;
  };
  const auto ear = engine.create(tact::behavior<tact::ended>{[&](auto&, const tact::ended& e) {
                                   told += e.reason == tact::end_reason::owner_gone ? 1 : 100;
                                 }},
                                 tact::parallel);
  auto one = engine.create(open_counted(seen), owned);
  engine.monitor(one.ref(), ear);
  one.ref() | note{1};
  require_idle(engine);  // the actor that drops it is another sender
  const auto h = engine.spawn<holder>(std::move(one));
  h | drop{} | drop{};
  require_idle(engine);
  CHECK(seen == 1);
  CHECK(told == 1);
  CHECK(engine.statistics().failures == 2);
  CHECK(tracked::alive == 0);
}

TEST_CASE("owner: runs that collide and run again end nobody too early", "[law3]") {
  TACT_FOR_EACH_WORKER_COUNT(workers);
  const nothing_left left;
  struct add {
    owner<counted> of;
  };
  struct list : tact::protocol<add, stop> {
    static tact::behavior<list> open(std::vector<owner<counted>> all) {
      return {[all](tact::self<list>& self, const add& m) {
                auto more = all;
                more.push_back(m.of);
                for (const auto& o : more) self.send(o.ref(), note{1});
                self.become(open(std::move(more)));
              },
              [](tact::self<list>& self, const stop&) { self.stop(); }};
    }
  };
  for (int round = 0; round < scaled(20); ++round) {
    std::atomic<int> seen{0};
    tact::engine engine(quiet_options(workers));
    const auto l = engine.create(list::open({}), tact::parallel);
    constexpr int actors = 20;
    for (int i = 0; i < actors; ++i) engine.send(l, add{engine.create(open_counted(seen), owned)}, tact::spread);
    require_idle(engine);
    REQUIRE(seen == actors * (actors + 1) / 2);
    REQUIRE(engine.statistics().actors_alive == actors + 1);
    l | stop{};
    REQUIRE(engine.wait_finished(generous));
    REQUIRE(engine.dead_letters().empty());
  }
}

TEST_CASE("owner: one that goes after its actor, or after the engine, harms nobody", "[law13]") {
  TACT_FOR_EACH_WORKER_COUNT(workers);
  const nothing_left left;
  std::atomic<int> seen{0};
  owner<counted> late;
  {
    tact::engine engine(quiet_options(workers));
    auto gone = engine.create(open_counted(seen), owned, tact::parallel);
    gone.ref() | stop{};
    require_idle(engine);
    gone.reset();
    require_idle(engine);
    CHECK(engine.statistics().dead_letters == 0);
    late = engine.create(open_counted(seen), owned, tact::parallel);
    // Kept by another actor until the engine ends.
    struct keep {
      owner<counted> of;
    };
    struct keeper : tact::actor<keeper, keep> {
      void receive(tact::self<keeper>&, const keep& m) { kept = m.of; }
      owner<counted> kept;
    };
    engine.spawn<keeper>() | keep{engine.create(open_counted(seen), owned, tact::parallel)};
    require_idle(engine);
  }
  CHECK(tracked::alive == 0);
}

}  // namespace owner_test
