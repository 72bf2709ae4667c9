// An engine without workers: pumped, run, and driven by threads that wait for it.
#include <atomic>
#include <string>
#include <thread>

#include "support/engine_fixture.hpp"
#include "support/refusal.hpp"

namespace pump_test {

namespace {

using namespace tact;
using support::door;
using support::quiet_options;
using support::refusal;

struct step {
  int left;
};
struct count {
  using reply = int;
};
struct walker : protocol<step, request<count>> {};

// Counts its steps, and sends itself the next one while any are left.
behavior<walker> walk(int taken = 0) {
  return {
      [=](self<walker>& self, const step& m) {
        if (m.left > 1) self.send(self.ref(), step{m.left - 1});
        self.become(walk(taken + 1));
      },
      [=](auto& self, const request<count>& m) { self.reply(m, taken); },
  };
}

struct task {
  std::function<void()> what;
};
struct doer : protocol<task> {};
behavior<doer> do_tasks() {
  return {[](auto&, const task& m) { m.what(); }};
}

using Catch::Matchers::Contains;

}  // namespace

TEST_CASE("pump: handles as many messages as it may, and says whether more waits", "[api][pump]") {
  engine e(quiet_options(0));
  const auto w = e.create(walk(), tact::parallel);
  e.send(w, step{100});
  for (std::size_t most : {1U, 2U, 7U, 40U}) {
    const pumped done = e.pump(most);
    CHECK(done.handled == most);
    CHECK(done.more);
  }
  CHECK(e.pump(0).handled == 0);
  CHECK(e.pump(0).more);
  const pumped rest = e.pump();
  CHECK(rest.handled == 50);
  CHECK_FALSE(rest.more);
  const pumped nothing = e.pump();
  CHECK(nothing.handled == 0);
  CHECK_FALSE(nothing.more);
  CHECK(e.ask(w, count{}) == 100);
  support::require_idle(e);
}

TEST_CASE("pump: the limit holds with many shards, messages of all sizes, failures and dead letters", "[api][pump]") {
  TACT_SEEDED(seed);
  support::dice dice(seed);
  engine_options options = quiet_options(0);
  options.shards = GENERATE(1U, 5U);
  engine e(options);
  const auto thrower = e.create(
      behavior<doer>{[](auto&, const task&) { throw std::runtime_error("thrown on purpose"); }}, tact::parallel);
  const auto gone = e.create(behavior<doer>{[](auto& self, const task&) { self.stop(); }}, tact::parallel);
  std::vector<ref<walker>> walkers;
  for (int i = 0; i < 10; ++i) walkers.push_back(e.create(walk()));
  for (const auto w : walkers) e.send(w, step{30});
  for (int i = 0; i < 5; ++i) {
    e.send(thrower, task{});
    e.send(gone, task{});
  }
  std::size_t handled = 0;
  for (bool more = true; more;) {
    const std::size_t most = 1 + dice.below(20);
    const pumped done = e.pump(most);
    REQUIRE(done.handled <= most);
    REQUIRE((done.handled == most || !done.more));
    handled += done.handled;
    more = done.more;
  }
  CHECK(handled == 10 * 30 + 10);
  support::require_accounted(e);
  CHECK(e.statistics().failures == 5);
  CHECK(e.statistics().dead_letters == 4);
  for (const auto w : walkers) CHECK(e.ask(w, count{}) == 30);
}

TEST_CASE("pump: a budget ends it between two handlers", "[api][pump]") {
  using namespace std::chrono_literals;
  engine e(quiet_options(0));
  const auto d = e.create(do_tasks(), tact::parallel);
  const auto busy = [] {
    for (const auto end = std::chrono::steady_clock::now() + 2ms; std::chrono::steady_clock::now() < end;) {
    }
  };
  for (int i = 0; i < 100; ++i) e.send(d, task{busy});
  const pumped some = e.pump(unlimited, 5ms);
  CHECK(some.handled >= 1);
  CHECK(some.handled <= 4);
  CHECK(some.more);
  CHECK(e.pump(2, 1h).handled == 2);
  e.cancel();
  CHECK(e.pump().handled == 0);
}

TEST_CASE("pump: is refused in a handler, in on_wake, beside another thread, and where there are workers",
          "[api][pump]") {
  std::string in_wake, wait_in_wake;
  engine* house = nullptr;
  engine_options options = quiet_options(0);
  options.on_wake = [&] {
    in_wake = refusal([&] { (void)house->pump(); });
    wait_in_wake = refusal([&] { house->wait_idle(); });
  };
  engine e(options);
  house = &e;
  const auto d = e.create(do_tasks(), tact::parallel);
  std::string in_handler, run_in_handler, elsewhere;
  e.send(d, task{[&] {
           in_handler = refusal([&] { (void)e.pump(); });
           run_in_handler = refusal([&] { e.run(); });
           std::thread other([&] { elsewhere = refusal([&] { (void)e.pump(); }); });
           other.join();
         }});
  CHECK_THAT(in_wake, Contains("engine.pump") && Contains("on_wake"));
  CHECK_THAT(wait_in_wake, Contains("engine.wait_idle") && Contains("on_wake"));
  CHECK(e.pump().handled == 1);
  CHECK_THAT(in_handler, Contains("engine.pump inside a handler"));
  CHECK_THAT(run_in_handler, Contains("engine.run inside a handler"));
  CHECK_THAT(elsewhere, Contains("another thread pumps"));

  engine with_workers(quiet_options(2));
  CHECK_THAT(refusal([&] { (void)with_workers.pump(); }), Contains("engine.pump") && Contains("workers = 0"));
  CHECK_THAT(refusal([&] { with_workers.run(); }), Contains("engine.run") && Contains("workers = 0"));
  CHECK_THAT(refusal([&] { with_workers.run_until_idle(); }), Contains("engine.run_until_idle"));
  CHECK_THAT(refusal([&] { with_workers.quit(); }), Contains("engine.quit"));
}

TEST_CASE("pump: on_wake is called once until a pump has said that nothing is left", "[api][pump]") {
  int woken = 0;
  engine_options options = quiet_options(0);
  options.on_wake = [&] { ++woken; };
  engine e(options);
  const auto w = e.create(walk(), tact::parallel);
  for (int round = 1; round <= 3; ++round) {
    for (int i = 0; i < 5; ++i) e.send(w, step{3});
    CHECK(woken == round);
    CHECK(e.pump(4).more);
    e.send(w, step{1});
    CHECK(woken == round);
    CHECK_FALSE(e.pump().more);
  }
  // A thread that waits runs all of it: nothing is left to be told of. What it leaves is told.
  e.send(w, step{1});
  CHECK(woken == 4);
  e.wait_idle();
  CHECK_FALSE(e.pump().more);
  CHECK(e.ask(w, count{}) == 3 * 16 + 1);
  CHECK_FALSE(e.pump().more);
  e.send(w, step{1});
  CHECK(woken >= 5);
}

TEST_CASE("pump: on_wake may send, and what it throws is ignored", "[api][pump]") {
  engine* house = nullptr;
  ref<walker> w;
  engine_options options = quiet_options(0);
  options.on_wake = [&] {
    house->send(w, step{1});
    throw std::runtime_error("ignored");
  };
  engine e(options);
  house = &e;
  w = e.create(walk(), tact::parallel);
  e.send(w, step{1});
  CHECK(e.pump().handled == 2);
}

TEST_CASE("pump: two threads take turns, and see what the other has run", "[api][pump]") {
  engine e(quiet_options(0));
  int plain = 0;  // of no actor: only the pump orders the threads that touch it
  const auto d = e.create(do_tasks(), tact::parallel);
  for (int round = 0; round < support::scaled(200); ++round) {
    e.send(d, task{[&] { ++plain; }});
    std::thread other([&] { CHECK(e.pump().handled == 1); });
    other.join();
    e.send(d, task{[&] { ++plain; }});
    CHECK(e.pump().handled == 1);
  }
  CHECK(plain == 2 * support::scaled(200));
}

TEST_CASE("run: returns when every actor has ended, and sleeps until a message comes", "[api][pump]") {
  engine e(quiet_options(0));
  e.run();  // there are no actors
  std::thread::id ran_on;
  const auto d = e.create(behavior<doer>{[&](auto& self, const task& m) {
                            m.what();
                            ran_on = std::this_thread::get_id();
                            self.stop();
                          }},
                          tact::parallel);
  std::thread other([&] {
    while (e.statistics().parks == 0) std::this_thread::yield();
    e.send(d, task{[] {}});
  });
  e.run();
  other.join();
  CHECK(ran_on == std::this_thread::get_id());
  CHECK(e.statistics().actors_alive == 0);
}

TEST_CASE("run: quit ends it, or the next one, from a handler and from another thread", "[api][pump]") {
  engine e(quiet_options(0));
  const auto w = e.create(walk(), tact::parallel);
  const auto d = e.create(do_tasks(), tact::parallel);
  e.quit();
  e.send(w, step{5});
  e.run();
  CHECK(e.statistics().in_flight() == 1);
  e.run_until_idle();
  CHECK(e.ask(w, count{}) == 5);
  e.send(d, task{[&] { e.quit(); }});
  e.run();  // its actors live on
  std::thread other([&] {
    while (e.statistics().parks == 0) std::this_thread::yield();
    e.quit();
  });
  e.run();
  other.join();
  CHECK(e.statistics().actors_alive == 2);
}

TEST_CASE("run: another thread waits, asks, drains and cancels meanwhile", "[api][pump]") {
  const bool cancels = GENERATE(false, true);
  engine e(quiet_options(0));
  const auto w = e.create(walk(), tact::parallel);
  std::thread other([&] {
    for (int i = 1; i <= 20; ++i) {
      e.send(w, step{1});
      CHECK(e.ask(w, count{}) <= i);
      e.wait_idle();
      CHECK(e.ask(w, count{}) == i);
    }
    cancels ? e.cancel() : e.drain();
  });
  e.run();
  other.join();
  CHECK(e.statistics().in_flight() == 0);
  e.run();  // it has ended
  CHECK(e.pump().handled == 0);
}

TEST_CASE("pump: whoever asks or waits runs the engine when nobody else does", "[api][pump]") {
  support::nothing_left nothing;
  const int each = support::scaled(300);
  constexpr unsigned threads = 4;
  {
    engine e(quiet_options(0));
    const auto w = e.create(walk(), tact::parallel);
    std::atomic<int> wrong = 0;
    support::on_threads(threads, [&](unsigned) {
      for (int i = 0; i < each; ++i) {
        e.send(w, step{1});
        wrong += e.ask(w, count{}) <= 0;
      }
    });
    CHECK(wrong == 0);
    e.wait_idle();
    CHECK(e.ask(w, count{}) == static_cast<int>(threads) * each);
    support::require_idle(e);
  }
  SECTION("so does the destructor") {
    std::atomic<int> done = 0;
    {
      engine e(quiet_options(0));
      const auto d = e.create(do_tasks(), tact::parallel);
      for (int i = 0; i < 10; ++i) e.send(d, task{[&] { ++done; }});
    }
    CHECK(done == 10);
  }
}

TEST_CASE("pump: a thread that asks in vain gives up at its limit, and an ended engine tells it", "[api][pump]") {
  engine e(quiet_options(0));
  struct silent : protocol<request<count>> {};
  std::optional<request<count>> kept;
  const auto s = e.create(behavior<silent>{[&](auto& self, const request<count>& m) {
                            self.defer(m);
                            kept.emplace(m);
                          }},
                          tact::parallel);
  CHECK_FALSE(e.ask(s, count{}, std::chrono::milliseconds(1)));
  std::thread other([&] { CHECK_THROWS_AS(e.ask(s, count{}), ask_error); });
  while (e.statistics().commits < 2) std::this_thread::yield();
  e.cancel();
  other.join();
  CHECK_THROWS_AS(e.ask(s, count{}), ask_error);
}

TEST_CASE("pump: blocking actors keep their own threads, and wake who runs the engine", "[api][pump]") {
  engine e(quiet_options(0));
  const auto here = std::this_thread::get_id();
  door entered, leave;
  std::thread::id slow_on, fast_on;
  const auto fast = e.create(do_tasks(), tact::parallel);
  const auto slow = e.create(behavior<doer>{[&](auto& self, const task& m) {
                               slow_on = std::this_thread::get_id();
                               entered.open();
                               leave.pass();
                               self.send(fast, m);
                             }},
                             blocking);
  e.send(slow, task{[&] { fast_on = std::this_thread::get_id(); }});
  CHECK(entered.pass());
  CHECK(e.pump().handled == 0);
  leave.open();
  e.run_until_idle();
  CHECK(slow_on != here);
  CHECK(fast_on == here);
}

TEST_CASE("pump: a scope that waits runs its members", "[api][pump]") {
  engine e(quiet_options(0));
  std::atomic<int> done = 0;
  {
    scope group(e);
    const auto d = group.create(do_tasks());
    for (int i = 0; i < 3; ++i) e.send(d, task{[&] { ++done; }});
    const auto end = std::chrono::steady_clock::now() + tact::support::generous;
    do CHECK_FALSE(group.wait(std::chrono::milliseconds(1)));
    while (done != 3 && std::chrono::steady_clock::now() < end);
    CHECK(done == 3);
    group.end();
    group.wait();
    CHECK(group.size() == 0);
    (void)group.create(do_tasks(), tact::parallel);
  }
  CHECK(e.statistics().actors_alive == 0);
}

TEST_CASE("pump: engines without workers answer each other, each on the thread that pumps it", "[api][pump]") {
  engine a(quiet_options(0));
  engine b(quiet_options(0));
  const auto w = b.create(walk(), tact::parallel);
  a.send(w, step{3});
  CHECK(a.pump().handled == 0);
  CHECK(b.pump().handled == 3);
  std::thread other([&] { b.run(); });
  CHECK(a.ask(w, count{}) == 3);
  b.cancel();
  other.join();
}

TEST_CASE("pump: an engine without workers has a plan without seats, and one row of statistics", "[api][pump]") {
  engine e(quiet_options(0));
  CHECK(e.plan().seats.empty());
  CHECK(e.statistics().workers == 0);
  CHECK(e.statistics().shards == 1);
  const auto w = e.create(walk(), tact::parallel);
  const auto h = e.create(walk(), heavy);
  e.send(w, step{5});
  e.send(h, step{5});
  e.wait_idle();
  REQUIRE(e.worker_statistics().size() == 1);
  CHECK(e.worker_statistics()[0].commits == 10);
}

}  // namespace pump_test
