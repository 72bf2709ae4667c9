// Law 1: what a run stages is visible as a whole after its commit, or never.
#include <stdexcept>

#include "support/engine_fixture.hpp"

namespace all_or_nothing_test {

namespace {

using namespace tact::support;

struct pay;
struct deposit {
  long cents;
};
struct balance {
  using reply = long;
};
struct account;
struct pay {
  tact::ref<account> to;
  long cents;
  std::uint64_t luck;
};
struct account : tact::protocol<deposit, pay, tact::request<balance>> {};

struct note {
  tracked kept;
};
struct receipt : tact::protocol<note> {};

struct counts {
  std::atomic<long> receipts{0};  // notes that were delivered
  std::atomic<long> commits{0};
  std::atomic<long> throws{0};
};

tact::behavior<receipt> open_receipt(counts& c) {
  return {[&c, kept = tracked()](tact::self<receipt>& self, const note&) {
    ++c.receipts;
    self.stop();
  }};
}

// Throws at the n-th step of the handler.
struct trap {
  counts& c;
  unsigned at;
  void step() {
    if (at-- != 0) return;
    ++c.throws;
    throw std::runtime_error("trap");
  }
};

tact::behavior<account> open_account(counts& c, long cents) {
  return {
      [&c, cents](tact::self<account>& self, const deposit& m) { self.become(open_account(c, cents + m.cents)); },
      [&c, cents](tact::self<account>& self, const pay& m) {
        dice luck(m.luck);
        trap t{c, luck.below(16)};  // steps below: 6, so most runs get through
        if (luck.below(4) == 0) {
          self.send(m.to, deposit{1'000'000});
          self.become(open_account(c, -1));
          (void)self.create(open_receipt(c), tact::parallel);
          self.on_commit([&c] { c.commits += 1'000'000; });
          self.discard();
        }
        t.step();
        self.send(m.to, deposit{m.cents});
        t.step();
        const auto paid = self.create(open_receipt(c), tact::parallel);
        t.step();
        self.send(paid, note{});
        t.step();
        self.on_commit([&c] { ++c.commits; });
        t.step();
        self.become(open_account(c, cents - m.cents));
        t.step();
      },
      [cents](auto& self, const tact::request<balance>& m) { self.reply(m, cents); },
  };
}

}  // namespace

TEST_CASE("all or nothing: money moves between accounts and is never lost or made", "[law1]") {
  TACT_SEEDED(seed);
  TACT_FOR_EACH_WORKER_COUNT(workers);
  const nothing_left left;
  counts c;
  tact::engine engine(quiet_options(workers));
  constexpr int accounts = 12;
  const int payments = scaled(20'000);
  std::vector<tact::ref<account>> bank;
  for (int i = 0; i < accounts; ++i) {
    bank.push_back(i % 3 == 0 ? engine.create(open_account(c, 1'000))
                              : engine.create(open_account(c, 1'000), tact::parallel));
  }
  on_threads(2, [&](unsigned thread) {
    dice d(seed + thread);
    for (int i = 0; i < payments; ++i) {
      // One account takes part in most payments, so that runs collide.
      const auto from = bank[d.below(2) * d.below(accounts)];
      engine.send(from, pay{bank[d.below(accounts)], static_cast<long>(d.below(50)), d.next()});
    }
  });
  require_idle(engine);
  long total = 0;
  for (const auto a : bank) total += engine.ask(a, balance{});
  CHECK(total == accounts * 1'000);
  CHECK(c.commits == 2 * payments - static_cast<long>(engine.statistics().failures));
  CHECK(c.receipts == c.commits);
  CHECK(engine.statistics().dead_letters == 0);
  CHECK(engine.statistics().actors_alive == accounts);
}

namespace {

struct go {};
struct racer : tact::protocol<go> {};

// Where messages run is the engine's choice: two that are run one after the other do not meet.
constexpr std::chrono::milliseconds patience{50};

struct race {
  meeting both{2};
  std::atomic<int> runs{0};
  std::atomic<int> version{0};
  counts c;

  // That of the first commit may come after that of the second: both have committed, on two workers.
  void raise_to(int to) {
    for (int seen = version; seen < to && !version.compare_exchange_weak(seen, to);) {
    }
  }
};

tact::behavior<racer> open_racer(race& r, int version) {
  return {[&r, version](tact::self<racer>& self, const go&) {
    ++r.runs;
    self.send(self.create(open_receipt(r.c), tact::parallel), note{});
    self.on_commit([&r] { ++r.c.commits; });
    self.become(open_racer(r, version + 1));
    self.on_commit([&r, version] { r.raise_to(version + 1); });
    r.both.join(patience);  // neither commits before both have staged, when they run at once
  }};
}

}  // namespace

TEST_CASE("all or nothing: the loser of a race leaves nothing and runs again on the winner's state", "[law1][law3]") {
  const unsigned workers = GENERATE(2u, 4u, 8u);
  INFO("workers=" << workers);
  int met = 0;
  for (int i = 0; i < scaled(100); ++i) {
    const nothing_left left;
    race r;
    tact::engine engine(quiet_options(workers));
    const auto a = engine.create(open_racer(r, 0), tact::parallel);
    engine.send(a, go{});
    engine.send(a, go{});
    require_idle(engine);
    met += static_cast<int>(engine.statistics().collisions);
    REQUIRE(engine.statistics().collisions <= 1);
    REQUIRE(r.runs == 2 + static_cast<int>(engine.statistics().collisions));
    REQUIRE(r.version == 2);
    REQUIRE(r.c.commits == 2);
    REQUIRE(r.c.receipts == 2);
    REQUIRE(engine.statistics().actors_alive == 1);
  }
  CHECK(met != 0);
}

}  // namespace all_or_nothing_test
