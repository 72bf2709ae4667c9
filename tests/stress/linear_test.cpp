// Law 3: the committed becomes of an actor form one chain.
#include "support/engine_fixture.hpp"

namespace linear_test {

namespace {

using namespace tact::support;

struct link {
  unsigned from;
};
class chain : public tact::actor<chain, link> {
 public:
  explicit chain(std::vector<unsigned>& successors) : successors_(&successors) {}
  void receive(tact::self<chain>&, const link& m) { ++(*successors_)[m.from]; }

 private:
  std::vector<unsigned>* successors_;
};

struct bump {
  unsigned spin;
};
struct version {
  using reply = unsigned;
};
struct counter : tact::protocol<bump, tact::request<version>> {};

tact::behavior<counter> open_counter(tact::ref<chain> log, unsigned now) {
  return {
      [=](tact::self<counter>& self, const bump& m) {
        self.become(open_counter(log, now + 1));
        self.send(log, link{now});
        for (unsigned i = 0; i < m.spin; ++i) std::this_thread::yield();
      },
      [=](auto& self, const tact::request<version>& m) { self.reply(m, now); },
  };
}

struct burst {
  unsigned left;
};
struct source : tact::protocol<burst> {};
tact::behavior<source> open_source(tact::ref<counter> to) {
  return {[=](tact::self<source>& self, const burst& m) {
    for (unsigned i = 0; i < 8; ++i) self.send(to, bump{i % 2});
    if (m.left > 1) self.send(self.ref(), burst{m.left - 1});
  }};
}

}  // namespace

TEST_CASE("linear: every version of a contended actor has exactly one successor", "[law3]") {
  TACT_SEEDED(seed);
  TACT_FOR_EACH_WORKER_COUNT(workers);
  const unsigned collisions_max = GENERATE(1u, 3u, 7u);
  INFO("collisions_max=" << collisions_max);
  constexpr unsigned sources = 4;
  const auto bursts = static_cast<unsigned>(scaled(400));
  const auto outside = static_cast<unsigned>(scaled(3'000));
  const unsigned total = sources * bursts * 8 + 2 * outside;
  std::vector<unsigned> successors(total + 1);
  {
    auto options = quiet_options(workers);
    options.collisions_max = collisions_max;
    tact::engine engine(options);
    const auto log = engine.spawn<chain>(successors);
    const auto c = engine.create(open_counter(log, 0), tact::parallel);
    for (unsigned i = 0; i < sources; ++i) engine.send(engine.create(open_source(c), tact::parallel), burst{bursts});
    on_threads(2, [&](unsigned thread) {
      dice d(seed + thread);
      for (unsigned i = 0; i < outside; ++i) engine.send(c, bump{d.below(3)});
    });
    require_idle(engine);
    CHECK(engine.ask(c, version{}) == total);
    CHECK(engine.statistics().dead_letters == 0);
  }
  CHECK(std::all_of(successors.begin(), successors.end() - 1, [](unsigned n) { return n == 1; }));
  CHECK(successors.back() == 0);
}

}  // namespace linear_test
