// tact::stash: what is put aside comes back in its order and context, or its asker is told.
#include "tact/patterns/stash.hpp"

#include "patterns/customers.hpp"
#include "patterns/trouble.hpp"

namespace stash_test {

namespace {

using namespace tact::patterns_tests;
using tact::request;

struct knock {
  using reply = int;
  int number = 0;
  tracked instance{};
};
struct note {
  int number = 0;
  tracked instance{};
};
struct unlock {};
struct door : tact::protocol<request<knock>, note, unlock> {};
using numbers = std::shared_ptr<std::vector<int>>;

tact::behavior<door> open(numbers seen) {
  return {
      [seen](auto& self, const request<knock>& m) {
        seen->push_back(m.body.number);
        self.reply(m, m.body.number);
      },
      [seen](auto&, const note& m) { seen->push_back(m.number); },
      [](auto&, const unlock&) {},
  };
}

// Puts everything aside until it is unlocked.
tact::behavior<door> locked(numbers seen, tact::stash<door> waiting = {}) {
  return {
      [=](tact::self<door>& self, const request<knock>& m) { self.become(locked(seen, waiting.put(self, m))); },
      [=](tact::self<door>& self, const note& m) { self.become(locked(seen, waiting.put(self, m))); },
      [=](tact::self<door>& self, const unlock&) {
        waiting.give_back(self, self.ref());
        self.become(open(seen));
      },
  };
}

// The same without a stash: does not wait, and does not keep contexts.
using put_aside = std::vector<request<knock>>;
tact::behavior<door> locked_by_hand(numbers seen, put_aside waiting = {}) {
  return {
      [=](tact::self<door>& self, const request<knock>& m) {
        self.defer(m);
        auto more = waiting;
        more.push_back(m);
        self.become(locked_by_hand(seen, more));
      },
      [](auto&, const note&) {},
      [=](tact::self<door>& self, const unlock&) {
        for (const auto& m : waiting) self.send(self.ref(), m);
        self.become(open(seen));
      },
  };
}

// Two threads knock, one of them unlocks then; `ends`: the door ends in the place of being unlocked.
template <class Make>
void two_threads_knock(tact::simulation& sim, const trouble& t, bool ends, const Make& make) {
  auto& engine = sim.engine(quiet_options(2));
  const auto seen = std::make_shared<std::vector<int>>();
  const auto all = std::make_shared<customers<int>>(6);
  all->enter(engine, [&sim](auto&, std::size_t n, int answer) { sim.check(int(n) == answer, "a wrong answer"); });
  auto owner = std::make_shared<tact::owner<door>>(engine.create(make(seen), tact::owned));
  const tact::ref<door> at = owner->ref();
  t.begin();
  for (int thread = 0; thread < 2; ++thread) {
    sim.start_thread([=, &engine] {
      for (int n = thread; n < 6; n += 2) all->ask(t, engine, at, std::size_t(n), knock{n});
      if (thread == 0 && !ends) t.tries([&] { engine.send(at, unlock{}); });
      if (thread == 0 && ends) *owner = {};
    });
  }
  sim.run();
  t.tries([&] { engine.send(at, unlock{}); });
  sim.run();
  all->check(sim, t);
  if (!ends) sim.check(all->failures() <= (t.is_none() ? 0 : 1), "a request failed without a reason");
  for (int thread = 0; thread < 2; ++thread) {
    int last = -1;
    for (const int n : *seen) {
      if (n % 2 != thread || !t.is_none()) continue;
      sim.check(ends || thread == 1 || n > last, "knocks have changed places");
      last = n;
    }
  }
  *owner = {};
  sim.end();
}

const auto by_stash = [](const numbers& seen) { return locked(seen); };

}  // namespace

TEST_CASE("stash: what is put aside comes back in order and in its context, whatever fails", "[law1][law5][law8]") {
  require_whatever_fails([](tact::simulation& sim, const trouble& t) { two_threads_knock(sim, t, false, by_stash); });
}

TEST_CASE("stash: when the actor ends, every request that was put aside is told once", "[law4][law8]") {
  require_whatever_fails([](tact::simulation& sim, const trouble& t) { two_threads_knock(sim, t, true, by_stash); });
}

TEST_CASE("stash: requests kept by hand, which are not told, or lose their contexts, are found", "[law8]") {
  const bool ends = GENERATE(false, true);
  require_found([=](tact::simulation& sim, const trouble& t) {
    two_threads_knock(sim, t, ends, [](const numbers& seen) { return locked_by_hand(seen); });
  });
}

TEST_CASE("stash: a next behaviour that leaves it out fails its requests, and messages are destroyed", "[law8]") {
  const nothing_left left;
  tact::engine engine(quiet_options(1));
  const auto forgetful = engine.create(tact::behavior<door>{
      [](tact::self<door>& self, const request<knock>& m) {
        const auto lost = tact::stash<door>().put(self, m).put(self, m.body.number == 0 ? note{} : note{1});
        CHECK(lost.size() == 2);
      },
      [](auto&, const note&) {},
      [](auto&, const unlock&) {},
  });
  try {
    engine.ask(forgetful, knock{1});
    FAIL("an answer");
  } catch (const tact::ask_error& e) {
    CHECK(e.reason() == tact::failure_reason::target_ended);
  }
}

TEST_CASE("stash: a hundred thousand messages come back in order", "[law5][law10]") {
  TACT_FOR_EACH_THREAD_COUNT(workers);
  const nothing_left left;
  tact::engine engine(quiet_options(workers));
  const auto seen = std::make_shared<std::vector<int>>();
  const auto at = engine.create(locked(seen));
  const int count = scaled(100'000);
  for (int i = 0; i < count; ++i) engine.send(at, note{i});
  engine.send(at, unlock{});
  require_idle(engine);
  REQUIRE(seen->size() == std::size_t(count));
  CHECK(std::is_sorted(seen->begin(), seen->end()));
}

}  // namespace stash_test
