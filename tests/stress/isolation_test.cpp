// Law 2: a run sees one behaviour, that at entry, whatever commits meanwhile.
#include <string>

#include "support/engine_fixture.hpp"

namespace isolation_test {

namespace {

using namespace tact::support;

struct step {
  unsigned spin;
};
struct look {
  using reply = long;
};
struct cellar : tact::protocol<step, tact::request<look>> {};

// State whose parts agree only as long as it is whole and alive.
struct state {
  explicit state(long n)
      : number(n), text("a text that is too long to be kept inline: " + std::to_string(n)), again(n) {}
  state(const state&) = default;
  ~state() { number = -1; }

  [[nodiscard]] bool whole() const {
    return number >= 0 && number == again &&
           text == "a text that is too long to be kept inline: " + std::to_string(again);
  }
  volatile long number;
  std::string text;
  long again;
  tracked kept;
};

std::atomic<long> torn{0};

tact::behavior<cellar> open_cellar(long n) {
  return {
      [s = state(n)](tact::self<cellar>& self, const step& m) {
        const long at_entry = s.number;
        if (!s.whole()) ++torn;
        self.become(open_cellar(at_entry + 1));
        for (unsigned i = 0; i < m.spin; ++i) std::this_thread::yield();
        if (!s.whole() || s.number != at_entry) ++torn;
      },
      [s = state(n)](auto& self, const tact::request<look>& m) {
        const long before = s.number;
        std::this_thread::yield();
        if (!s.whole() || s.number != before) ++torn;
        self.reply(m, before);
      },
  };
}

}  // namespace

TEST_CASE("isolated: a run sees the state at its entry until it ends, also after its own become", "[law2]") {
  TACT_SEEDED(seed);
  TACT_FOR_EACH_WORKER_COUNT(workers);
  const nothing_left left;
  torn = 0;
  const int steps = scaled(10'000);
  tact::engine engine(quiet_options(workers));
  const auto a = engine.create(open_cellar(0), tact::parallel);
  std::atomic<long> went_back{0};
  on_threads(2, [&](unsigned thread) {
    dice d(seed + thread);
    long last = 0;
    for (int i = 0; i < steps; ++i) {
      engine.send(a, step{d.below(3)});
      if (d.below(16) != 0) continue;
      const long now = engine.ask(a, look{});
      if (now < last) ++went_back;  // one thread that asks twice in turn never sees an older state
      last = now;
    }
  });
  require_idle(engine);
  CHECK(torn == 0);
  CHECK(went_back == 0);
  CHECK(engine.ask(a, look{}) == 2 * steps);
}

}  // namespace isolation_test
