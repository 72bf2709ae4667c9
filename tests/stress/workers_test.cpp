// Workers that come and go on real threads: actors, messages, timers and threads that ask do not notice.
#include <set>
#include <thread>

#include "stress/town.hpp"
#include "support/insides.hpp"

namespace workers_test {

namespace {

using namespace tact::stress;

constexpr unsigned workers_most = 8;

tact::engine_options changing_options(unsigned workers, tact::victim_policy victims = &tact::longest_victim) {
  auto o = quiet_options(workers);
  o.workers_max = workers_most;
  o.victims = std::move(victims);
  return o;
}

struct tick {
  unsigned number;
};
struct clock_reader : tact::protocol<tick> {};
struct last_tick {
  using reply = unsigned;
};
struct desk_of : tact::protocol<letter, tact::request<last_tick>> {};

// One message at a time, in order; says how many there were.
tact::behavior<desk_of> open_desk(ledger& l, unsigned seen = 0) {
  return {
      [&l, seen](tact::self<desk_of>& self, const letter& m) {
        l.see(m);
        self.become(open_desk(l, seen + 1));
      },
      [seen](auto& self, const tact::request<last_tick>& m) { self.reply(m, seen); },
  };
}

// What the town has not: heavy and blocking actors, threads that ask, and timers.
class bystanders {
 public:
  explicit bystanders(tact::engine& e)
      : engine_(&e),
        desks_{e.create(open_desk(ledgers_[0]), tact::heavy), e.create(open_desk(ledgers_[1]), tact::heavy),
               e.create(open_desk(ledgers_[2]), tact::blocking)},
        clock_(e.create(tact::behavior<clock_reader>{[this](auto&, const tick&) { ++ticks_; }}, tact::parallel)) {}

  // Of one thread.
  void live(unsigned rounds) {
    for (unsigned n = 0; n < rounds; ++n) {
      for (const auto& d : desks_) engine_->send(d, letter{0, sent_});
      ++sent_;
      engine_->send_after(std::chrono::microseconds(n % 3 * 100), clock_, tick{n});
      for (const auto& d : desks_) wrong_answers_ += engine_->ask(d, last_tick{}) == sent_ ? 0U : 1U;
    }
    timers_ += rounds;
  }
  // That were sent, with the answers.
  [[nodiscard]] std::uint64_t messages() const { return std::uint64_t{timers_} * (1 + desks * 3); }
  // REQUIRES: no actor is alive any more.
  void check() {
    const auto end = std::chrono::steady_clock::now() + generous;
    while (engine_->statistics().timers_armed != 0 && std::chrono::steady_clock::now() < end) {
      std::this_thread::yield();
    }
    require_idle(*engine_);
    CHECK(wrong_answers_ == 0);
    CHECK(ticks_ == timers_);
    for (const ledger& l : ledgers_) {
      CHECK(l.wrong == 0);
      CHECK(l.next[0] == sent_);
    }
  }

 private:
  tact::engine* engine_;
  static constexpr unsigned desks = 3;

  std::array<ledger, desks> ledgers_;
  std::array<tact::ref<desk_of>, desks> desks_;
  std::atomic<unsigned> ticks_{0};
  tact::ref<clock_reader> clock_;
  unsigned sent_ = 0, timers_ = 0, wrong_answers_ = 0;
};

// Changes the number of workers until it is told to stop, and `least` times at any rate.
void change_at_random(tact::engine& e, tact::dispatch::dispatcher& inside, std::uint64_t seed, unsigned least,
                      const std::atomic<bool>& stop) {
  auto& table = inside.stealing().table();
  dice d(seed);
  unsigned wrong = 0;
  for (unsigned changes = 0; changes < least || !stop; ++changes) {
    const unsigned wanted = 1 + d.below(workers_most);
    e.set_workers(wanted);
    wrong += e.workers() == wanted && e.statistics().workers == wanted ? 0U : 1U;
    for (unsigned w = wanted; w < workers_most; ++w) wrong += table.of(w).size() == 0 ? 0U : 1U;
  }
  CHECK(wrong == 0);
}

}  // namespace

TEST_CASE("workers: while they come and go all laws hold, and nothing is lost, run twice or overtaken",
          "[workers][law1][law4][law5][law6]") {
  TACT_SEEDED(seed);
  const unsigned workers = GENERATE(1u, 2u, 4u, 8u);
  INFO("workers=" << workers);
  const nothing_left left;
  tact::engine engine(changing_options(workers, seed % 2 == 0 ? &tact::longest_victim : &tact::random_victim));
  auto& inside = inside_of(engine);
  bystanders b(engine);
  town t(engine);
  std::atomic<bool> stop{false};
  std::thread beside([&] { b.live(static_cast<unsigned>(scaled(1'000))); });
  std::thread changer([&] { change_at_random(engine, inside, seed, static_cast<unsigned>(scaled(1'000)), stop); });
  dice d(seed + 1);
  for (int n = 0; n < scaled(300); ++n) {
    t.live(d.next());
    if (d.below(3) != 0) continue;
    if (!engine.wait_idle(generous)) break;
    t.bury();
  }
  beside.join();
  stop = true;
  changer.join();
  b.check();
  t.check(b.messages());
}

TEST_CASE("workers: several threads that change their number are put in order", "[workers]") {
  TACT_SEEDED(seed);
  const nothing_left left;
  tact::engine engine(changing_options(2));
  town t(engine);
  on_threads(4, [&](unsigned i) {
    dice d(seed + i);
    for (int n = 0; n < scaled(100); ++n) engine.set_workers(1 + d.below(workers_most));
  });
  CHECK(engine.workers() >= 1);
  CHECK(engine.workers() <= workers_most);
  t.live(seed);
  require_idle(engine);
  t.check();
}

TEST_CASE("workers: an engine may end while their number changes", "[workers][law11]") {
  TACT_SEEDED(seed);
  for (int n = 0; n < scaled(200); ++n) {
    dice d(seed + static_cast<std::uint64_t>(n));
    const nothing_left left;
    std::array<ledger, 8> ledgers;
    tact::engine engine(changing_options(1 + d.below(workers_most)));
    audience all;
    for (ledger& l : ledgers) all.push_back(engine.create(open_reader(l)));
    const auto first = engine.spawn<writer>(2U, all);
    const bool drains = d.below(2) == 0;
    const unsigned before = d.below(20);
    const std::uint64_t changes = d.next();
    engine.send(first, go{100});
    on_threads(3, [&](unsigned i) {
      dice mine(changes + i);
      for (unsigned k = 0; i == 0 && k < before; ++k) std::this_thread::yield();
      if (i == 0) return drains ? engine.drain() : engine.cancel();
      for (unsigned k = 0; k < 20; ++k) engine.set_workers(1 + mine.below(workers_most));
    });
    require_accounted(engine);
    for (const ledger& l : ledgers) CHECK(l.wrong == 0);
    if (drains) CHECK(engine.statistics().dead_letters == 0);
    CHECK_NOTHROW(engine.set_workers(1));
  }
}

namespace {

struct errand {
  std::function<void()> what;
};
struct messenger : tact::protocol<errand> {};
using messengers = std::vector<tact::ref<messenger>>;

// Two that live on shards of this worker, each on another one; no shard moves but by a change.
messengers on_worker(unsigned worker, tact::engine& e) {
  const auto& inside = inside_of(e);
  std::set<std::uint32_t> shards;
  messengers found;
  // Where a new actor lives is the engine's choice.
  const auto end = std::chrono::steady_clock::now() + generous;
  while (found.size() < 2 && std::chrono::steady_clock::now() < end) {
    const auto m = e.create(tact::behavior<messenger>{[](auto&, const errand& w) { w.what(); }});
    const std::uint32_t home = home_of(tact::detail::access::port_of(m));
    if (inside.mail().shards()[home]->owner.load() == worker && shards.insert(home).second) found.push_back(m);
  }
  return found;
}

// The first worker handles something, and then sleeps so soundly that it will not even look whether memory should go
// back. False: it did not in time.
bool send_to_sleep(tact::engine& e, const tact::dispatch::dispatcher& inside, tact::ref<messenger> lives_there) {
  const auto& parks = inside.workers().front()->counters().parks;
  const std::uint64_t before = parks.read();
  e.send(lives_there, errand{[] {}});
  const auto end = std::chrono::steady_clock::now() + generous;
  while (parks.read() < before + 2 && std::chrono::steady_clock::now() < end) std::this_thread::yield();
  return parks.read() >= before + 2;
}

tact::engine_options two_that_steal_nothing() {
  auto o = changing_options(2, tact::no_victim);
  o.joint_holds = false;
  return o;
}

}  // namespace

TEST_CASE("workers: what waits for one that goes is run before the handler that keeps it returns", "[workers]") {
  for (int n = 0; n < scaled(100); ++n) {
    door came, done;
    std::atomic<unsigned> in_time{0};
    tact::engine engine(two_that_steal_nothing());
    const auto& inside = inside_of(engine);
    const messengers here = on_worker(0, engine);
    const messengers there = on_worker(1, engine);
    REQUIRE(here.size() + there.size() == 4);
    engine.send(there[0], errand{[&] {
                  came.open();
                  in_time += done.pass() ? 1U : 0U;
                }});
    REQUIRE(came.pass());
    if (n == 0) REQUIRE(send_to_sleep(engine, inside, here[0]));
    engine.send(there[1], errand{[&] { done.open(); }});  // no worker steals
    engine.set_workers(1);
    require_idle(engine);
    REQUIRE(in_time == 1);
  }
}

TEST_CASE("workers: what one that goes has not run yet is run by the others, though nobody sends", "[workers]") {
  for (int n = 0; n < scaled(100); ++n) {
    std::vector<unsigned> ran_by;
    door came;
    tact::engine engine(two_that_steal_nothing());
    const messengers there = on_worker(1, engine);
    REQUIRE(there.size() == 2);
    engine.send(there[0], errand{[&] {
                  came.open();
                  while (engine.workers() != 1) std::this_thread::yield();
                  ran_by.push_back(number_of_this_worker());
                }});
    REQUIRE(came.pass());
    for (unsigned k = 0; k < 3; ++k) {
      engine.send(there[0], errand{[&] { ran_by.push_back(number_of_this_worker()); }});
    }
    engine.set_workers(1);
    require_idle(engine);
    REQUIRE(ran_by.size() == 4);
    CHECK(ran_by.front() == 1);
    CHECK(ran_by.back() == 0);
  }
}

TEST_CASE("workers: those that come take part of the actors that are there", "[workers]") {
  auto options = changing_options(1, tact::no_victim);
  tact::engine engine(options);
  const auto& inside = inside_of(engine);
  const auto count = [&](unsigned worker) {
    std::size_t has = 0;
    for (const auto& s : inside.mail().shards())
      has += !inside.mail().is_blocking(s->number) && s->owner.load() == worker ? 1U : 0U;
    return has;
  };
  const std::size_t all = count(0);
  CHECK(all == inside.mail().shards().size() - options.blocking_max);
  for (const unsigned workers : {3U, 8U, 5U, 2U, 7U, 1U, 8U}) {
    engine.set_workers(workers);
    INFO("workers=" << workers);
    std::size_t sum = 0;
    for (unsigned w = 0; w < workers; ++w) {
      CHECK(count(w) >= all / workers);
      CHECK(count(w) <= all / workers + 1);
      sum += count(w);
    }
    CHECK(sum == all);
  }
}

}  // namespace workers_test
