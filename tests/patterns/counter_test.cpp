// tact::counter: what is counted is counted once, in every order, whatever fails.
#include "tact/patterns/counter.hpp"
#include "patterns/trouble.hpp"

namespace counter_test {

namespace {

using namespace tact::patterns_tests;

constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();

// Each message counts a bit of its own, so the count says which of them were counted, and how often.
template <class Make>
void threads_count(tact::simulation& sim, const trouble& t, bool parallel, const Make& make) {
  auto& engine = sim.engine(quiet_options(3));
  const auto c = parallel ? engine.create(make(), tact::parallel) : engine.create(make());
  t.begin();
  for (int thread = 0; thread < 2; ++thread) {
    sim.start_thread([&engine, c, t, thread] {
      for (int i = 0; i < 3; ++i) {
        t.tries([&] { engine.send(c, tact::add_to_count{std::int64_t{1} << (8 * (3 * thread + i))}); });
      }
    });
  }
  sim.run();
  const auto read = [&] {
    try {
      return engine.ask(c, tact::read_count{});
    } catch (const tact::ask_error&) {
    } catch (const std::bad_alloc&) {
    }
    return engine.ask(c, tact::read_count{});
  };
  const std::int64_t count = read();
  int missing = 0;
  for (int i = 0; i < 6; ++i) {
    const std::int64_t times = (count >> (8 * i)) & 255;
    sim.check(times <= 1, "a message was counted twice");
    missing += times == 0 ? 1 : 0;
  }
  sim.check(missing <= (t.is_none() ? 0 : 1), "a message was not counted");
  sim.end();
}

// Counts where a run that fails or collides cannot take it back.
tact::behavior<tact::counter_protocol> counts_aside() {
  const auto n = std::make_shared<std::atomic<std::int64_t>>(0);
  return {
      [n](tact::self<tact::counter_protocol>& self, const tact::add_to_count& m) {
        self.become(tact::counter(*n += m.by));
      },
      [](auto&, const tact::subtract_from_count&) {},
      [](auto&, const tact::reset_count&) {},
      [n](auto& self, const tact::request<tact::read_count>& m) { self.reply(m, *n); },
      [n](auto& self, const tact::request<tact::read_and_reset_count>& m) { self.reply(m, *n); },
  };
}

}  // namespace

TEST_CASE("counter: each message is counted once in every order, and not at all when its run fails", "[law1][law3]") {
  const bool parallel = GENERATE(false, true);
  require_whatever_fails([=](tact::simulation& sim, const trouble& t) {
    threads_count(sim, t, parallel, [] { return tact::counter(); });
  });
}

TEST_CASE("counter: one that counts beside its behaviour is found", "[law1][law3]") {
  require_found([](tact::simulation& sim, const trouble& t) { threads_count(sim, t, true, counts_aside); });
}

TEST_CASE("counter: beyond 64 bits it goes on at the other end, and back again", "[law3]") {
  tact::engine engine(quiet_options(1));
  const auto c = engine.create(tact::counter(most));
  engine.send(c, tact::add_to_count{});
  CHECK(engine.ask(c, tact::read_count{}) == least);
  engine.send(c, tact::subtract_from_count{2});
  CHECK(engine.ask(c, tact::read_count{}) == most - 1);
  engine.send(c, tact::reset_count{-1});
  engine.send(c, tact::subtract_from_count{least});
  CHECK(engine.ask(c, tact::read_count{}) == most);
  engine.send(c, tact::reset_count{});
  engine.send(c, tact::subtract_from_count{least});
  CHECK(engine.ask(c, tact::read_and_reset_count{5}) == least);
  CHECK(engine.ask(c, tact::read_count{}) == 5);
}

TEST_CASE("counter: what threads add and read_and_reset takes is the same in sum", "[law1][law3]") {
  TACT_FOR_EACH_THREAD_COUNT(workers);
  const bool parallel = GENERATE(false, true);
  tact::engine engine(quiet_options(workers));
  const auto c = parallel ? engine.create(tact::counter(), tact::parallel) : engine.create(tact::counter());
  std::atomic<std::int64_t> taken{0};
  on_threads(4, [&](unsigned i) {
    for (int n = 0; n < scaled(500); ++n) {
      engine.send(c, tact::add_to_count{3});
      engine.send(c, tact::subtract_from_count{});
      if (i == 0 && n % 10 == 0) taken += engine.ask(c, tact::read_and_reset_count{});
    }
  });
  require_idle(engine);
  CHECK(taken + engine.ask(c, tact::read_count{}) == 4 * scaled(500) * 2);
}

}  // namespace counter_test
