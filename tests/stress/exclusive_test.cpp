// Law 6: at most one handler of a classic or ordered actor runs at any time.
#include "support/engine_fixture.hpp"

namespace exclusive_test {

namespace {

using namespace tact::support;

struct poke {
  unsigned hops;
};

struct watch {
  std::atomic<bool> inside{false};
  std::atomic<unsigned> broken{0};
  unsigned visits = 0;  // not atomic on purpose

  template <class F>
  void visit(F f) {
    if (inside.exchange(true)) ++broken;
    ++visits;
    f();
    if (visits % 16 == 0) std::this_thread::yield();
    inside = false;
  }
};

using peers = std::vector<tact::ref<poke>>;

void pass_on(tact::transaction& tx, const peers& all, const poke& m) {
  if (m.hops == 0) return;
  tx.send(all[m.hops % all.size()], poke{m.hops - 1});
  if (m.hops % 8 == 0) tx.send(all[m.hops / 8 % all.size()], poke{m.hops / 2});
}

class guard : public tact::actor<guard, poke> {
 public:
  guard(watch& w, const peers& all) : watch_(&w), all_(&all) {}
  void receive(tact::self<guard>& self, const poke& m) {
    watch_->visit([&] { pass_on(self, *all_, m); });
  }

 private:
  watch* watch_;
  const peers* all_;
};

struct guarded : tact::protocol<poke> {};
tact::behavior<guarded> open_guard(watch& w, const peers& all) {
  return {[&](tact::self<guarded>& self, const poke& m) {
    w.visit([&] {
      pass_on(self, all, m);
      self.become(open_guard(w, all));
    });
  }};
}

// Parallel, so that messages come from all workers.
struct relay : tact::protocol<poke> {};
tact::behavior<relay> open_relay(const peers& all) {
  return {[&](auto& self, const poke& m) { pass_on(self, all, m); }};
}

}  // namespace

TEST_CASE("exclusive: no two handlers of a classic or ordered actor overlap", "[law6]") {
  TACT_SEEDED(seed);
  TACT_FOR_EACH_WORKER_COUNT(workers);
  constexpr unsigned actors = 9;
  std::vector<watch> watches(actors);
  peers all;
  tact::engine engine(quiet_options(workers));
  for (unsigned i = 0; i < actors; ++i) {
    if (i % 3 == 0) all.emplace_back(engine.spawn<guard>(watches[i], all));
    if (i % 3 == 1) all.emplace_back(engine.create(open_guard(watches[i], all)));
    if (i % 3 == 2) all.emplace_back(engine.create(open_relay(all), tact::parallel));
  }
  on_threads(3, [&](unsigned thread) {
    dice d(seed + thread);
    for (int i = 0; i < scaled(1'500); ++i) engine.send(all[d.below(actors)], poke{d.below(32)});
  });
  require_idle(engine);
  for (const watch& w : watches) CHECK(w.broken == 0);
  CHECK(watches[0].visits != 0);
  CHECK(watches[1].visits != 0);
}

}  // namespace exclusive_test
