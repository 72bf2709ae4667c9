// tact::once: one message passes, whatever fails and however many come at the same time.
#include "tact/patterns/once.hpp"
#include "patterns/trouble.hpp"

namespace once_test {

namespace {

using namespace tact::patterns_tests;

struct note {
  int number = 0;
  tracked instance{};
};

template <class Make>
void two_threads_send(tact::simulation& sim, const trouble& t, bool parallel, const Make& make) {
  auto& engine = sim.engine(quiet_options(3));
  auto came = std::make_shared<std::atomic<int>>(0);
  const auto desk = engine.create(tact::behavior<note>{[came](auto&, const note&) { ++*came; }}, tact::parallel);
  const auto gate = parallel ? engine.create(make(desk), tact::parallel) : engine.create(make(desk));
  t.begin();
  for (int thread = 0; thread < 2; ++thread) {
    sim.start_thread([&engine, gate, t] {
      for (int i = 0; i < 2; ++i) t.tries([&] { engine.send(gate, note{i}); });
    });
  }
  sim.run();
  sim.check(*came <= 1, "a second one has passed");
  sim.check(*came == 1 || !t.is_none(), "none has passed");
  sim.end();
}

}  // namespace

TEST_CASE("once: one message passes in every order, and none twice whatever fails", "[law1][law3]") {
  const bool parallel = GENERATE(false, true);
  require_whatever_fails([=](tact::simulation& sim, const trouble& t) {
    two_threads_send(sim, t, parallel, [](tact::ref<note> to) { return tact::once(to); });
  });
}

TEST_CASE("once: one that passes first and ends later is found", "[law1]") {
  require_found([](tact::simulation& sim, const trouble& t) {
    two_threads_send(sim, t, false, [](tact::ref<note> to) {
      return tact::behavior<note>{[to](tact::self<note>& self, const note& m) {
        self.send(to, m);
        self.on_commit([me = self.ref()](tact::transaction& tx) { tx.send(me, note{-1}); });
        if (m.number < 0) self.stop();
      }};
    });
  });
}

TEST_CASE("once: of the messages of many threads one passes, and the others are dead letters", "[law4][law13]") {
  TACT_FOR_EACH_THREAD_COUNT(workers);
  const bool parallel = GENERATE(false, true);
  const nothing_left left;
  tact::engine engine(quiet_options(workers));
  std::atomic<int> came{0};
  const auto desk = engine.create(tact::behavior<note>{[&](auto&, const note&) { ++came; }}, tact::parallel);
  const auto gate = parallel ? engine.create(tact::once(desk), tact::parallel) : engine.create(tact::once(desk));
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&] {
      for (int i = 0; i < 100; ++i) engine.send(gate, note{i});
    });
  }
  for (auto& t : threads) t.join();
  require_idle(engine);
  CHECK(came == 1);
  CHECK(engine.statistics().dead_letters == 399);
}

}  // namespace once_test
