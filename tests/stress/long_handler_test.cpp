// While one handler runs for long, the others go on, and what they replace and end is freed.
#include "support/engine_fixture.hpp"
#include "sync/policy.hpp"

namespace long_handler_test {

namespace {

using namespace tact::support;

struct count {};
struct stand {
  door* until;
  std::atomic<bool>* stands;
};
struct counter : tact::protocol<count, stand> {};

constexpr std::uint64_t magic = 0x5EED'0FBE'1157'0CA5;

// Its behaviours know how many they are, so each of them is one of its own.
tact::behavior<counter> open_counter(std::uint64_t so_far) {
  return {
      [t = tracked(), so_far](tact::self<counter>& self, const count&) { self.become(open_counter(so_far + 1)); },
      [t = tracked(), check = so_far ^ magic, so_far](auto&, const stand& m) {
        *m.stands = true;
        CHECK(m.until->pass());
        CHECK(check == (so_far ^ magic));  // this behaviour is still there
      },
  };
}

// Hits the counter, becomes, and leaves a child behind that ends at once; then does so again.
struct step {
  std::uint64_t left;
};
struct walker : tact::protocol<step> {};

tact::behavior<step> open_child() {
  return {[t = tracked()](tact::self<step>& self, const step&) { self.stop(); }};
}

tact::behavior<walker> open_walker(tact::ref<count> at, std::atomic<std::uint64_t>& steps) {
  return {[t = tracked(), at, &steps](tact::self<walker>& self, const step& m) {
    ++steps;
    self.become(open_walker(at, steps));
    self.send(self.create(open_child(), tact::parallel), step{0});
    if (m.left % 4 == 0) self.send(at, count{});
    if (m.left != 0) self.send(self.ref(), step{m.left - 1});
  }};
}

std::uint64_t collisions_of_walkers(const tact::engine& engine) {
  for (const auto& t : engine.type_statistics()) {
    if (t.actor.find("walker") != t.actor.npos) return t.collisions;
  }
  FAIL("the engine has no figures for walkers");
  return 0;
}

}  // namespace

// Unless the system cannot put a barrier into all threads: then memory grows until the handler ends.
TEST_CASE("bounded: while one handler runs for long, what others replace and end is freed", "[law10]") {
  const unsigned workers = GENERATE(from_range(usual_of({2u, 4u, 8u})));
  if (!tact::sync::real::barrier_for_all()) {
    WARN("no barrier for all threads on this system: not tested");
    return;
  }
  const nothing_left left;
  door end;
  std::atomic<bool> stands{false};
  std::atomic<std::uint64_t> steps{0};
  constexpr unsigned walkers = 32;
  const auto each = static_cast<std::uint64_t>(scaled(40'000));
  const std::uint64_t enough = walkers * each / 2;  // some walk on shards that the handler holds
  tact::engine engine(quiet_options(workers));
  const auto at = engine.create(open_counter(0), tact::parallel);
  engine.send(at, stand{&end, &stands});
  while (!stands) std::this_thread::yield();
  for (unsigned w = 0; w < walkers; ++w) engine.send(engine.create(open_walker(at, steps), tact::parallel), step{each});
  // A worker lets 16 batches wait before it looks into the hands of the others. One has 256 objects or 64 for each
  // worker, and what a long hold adds.
  const std::uint64_t batch = std::max<std::uint64_t>(256, 64 * workers) + 1024;
  const std::uint64_t bound = 20 * batch * workers;
  std::uint64_t most = 0;
  std::uint64_t now = 0;
  const auto until = std::chrono::steady_clock::now() + generous;
  // One of several others may stand between two handlers, for as long as the system does not let it run.
  while ((steps < enough || now >= bound) && std::chrono::steady_clock::now() < until) {
    now = engine.statistics().retired;
    most = std::max(most, now);
    std::this_thread::yield();
  }
  INFO("retired: at most " << most << ", at last " << now << " of " << 3 * enough);
  CHECK(steps >= enough);
  CHECK(now < bound);
  if (workers == 2) CHECK(most < bound);
  end.open();
  require_idle(engine);
  // A walker's message may be run in vain on a worker that does not hold the walker's home: such a run is a collision.
  CHECK(steps == walkers * (each + 1) + collisions_of_walkers(engine));
}

}  // namespace long_handler_test
