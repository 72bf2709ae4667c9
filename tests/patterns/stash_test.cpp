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

// -- in front of the mailbox

struct lock {};
struct gate : tact::protocol<request<knock>, note, lock, unlock> {};

// What is given back comes in front of the mailbox, or behind what waits there.
enum class comes_back : unsigned char { in_front, behind };

tact::behavior<gate> shut_gate(numbers seen, comes_back how, tact::stash<gate> waiting = {});
tact::behavior<gate> open_gate(numbers seen, comes_back how) {
  return {
      [seen](auto& self, const request<knock>& m) {
        seen->push_back(m.body.number);
        self.reply(m, m.body.number);
      },
      [seen](auto&, const note& m) { seen->push_back(m.number); },
      [=](tact::self<gate>& self, const lock&) { self.become(shut_gate(seen, how)); },
      [](auto&, const unlock&) {},
  };
}
tact::behavior<gate> shut_gate(numbers seen, comes_back how, tact::stash<gate> waiting) {
  return {
      [=](tact::self<gate>& self, const request<knock>& m) { self.become(shut_gate(seen, how, waiting.put(self, m))); },
      [=](tact::self<gate>& self, const note& m) { self.become(shut_gate(seen, how, waiting.put(self, m))); },
      [](auto&, const lock&) {},
      [=](tact::self<gate>& self, const unlock&) {
        how == comes_back::in_front ? waiting.give_back_in_front(self) : waiting.give_back(self, self.ref());
        self.become(open_gate(seen, how));
      },
  };
}

// Numbers below 100 are of the first sender, others of the second one; each sends them in their order.
bool each_sender_is_in_order(const std::vector<int>& seen) {
  int last[] = {-1, 99};
  for (const int n : seen) {
    int& before = last[n >= 100 ? 1 : 0];
    if (n <= before) return false;
    before = n;
  }
  return true;
}

// Two threads send notes and knocks while a third one locks the gate and unlocks it.
void senders_meet_a_gate(tact::simulation& sim, const trouble& t, comes_back how) {
  auto& engine = sim.engine(quiet_options(2));
  const auto seen = std::make_shared<std::vector<int>>();
  const auto all = std::make_shared<customers<int>>(2);
  all->enter(engine, [](auto&, std::size_t, int) {});
  const auto at = engine.create(shut_gate(seen, how));
  t.begin();
  for (int thread = 0; thread < 2; ++thread) {
    sim.start_thread([=, &engine] {
      const int first = thread * 100;
      t.tries([&] { engine.send(at, note{first}); });
      all->ask(t, engine, at, std::size_t(thread), knock{first + 1});
      for (int n = 2; n < 4; ++n) t.tries([&] { engine.send(at, note{first + n}); });
    });
  }
  sim.start_thread([=, &engine] {
    t.tries([&] { engine.send(at, unlock{}); });
    t.tries([&] { engine.send(at, lock{}); });
    t.tries([&] { engine.send(at, unlock{}); });
  });
  sim.run();
  t.tries([&] { engine.send(at, unlock{}); });
  sim.run();
  sim.check(each_sender_is_in_order(*seen), "messages of one sender have changed places");
  if (t.is_none()) sim.check(seen->size() == 8, "a message is lost, or came twice");
  all->check(sim, t);
  sim.end();
}

}  // namespace

TEST_CASE(
    "stash: what is given back in front comes before all that waits, and senders keep their order, whatever fails",
    "[law1][law4][law5]") {
  require_whatever_fails(
      [](tact::simulation& sim, const trouble& t) { senders_meet_a_gate(sim, t, comes_back::in_front); });
}

TEST_CASE("stash: one that comes back behind what waits, where a sender is overtaken, is found", "[law5]") {
  require_found([](tact::simulation& sim, const trouble& t) { senders_meet_a_gate(sim, t, comes_back::behind); });
}

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

TEST_CASE("stash: whatever runs the actor, what is given back in front comes before all that waits", "[law5]") {
  TACT_FOR_EACH_THREAD_COUNT(workers);
  const nothing_left left;
  tact::engine engine(quiet_options(workers));
  const int each = scaled(2'000);
  std::vector<numbers> all;
  const auto run = [&](auto... how) {
    const auto seen = all.emplace_back(std::make_shared<std::vector<int>>());
    const auto at = engine.create(shut_gate(seen, comes_back::in_front), how...);
    on_threads(3, [&](unsigned thread) {
      for (int i = 0; i < each; ++i) {
        if (thread < 2) {
          engine.send(at, note{int(thread) * each + i});
        } else if (i % 2 == 0) {
          engine.send(at, unlock{});
        } else {
          engine.send(at, lock{});
        }
      }
    });
    engine.send(at, unlock{});
    require_idle(engine);
    REQUIRE(seen->size() == std::size_t(2 * each));
    for (int thread = 0; thread < 2; ++thread) {
      std::vector<int> of_one;
      std::copy_if(seen->begin(), seen->end(), std::back_inserter(of_one), [&](int n) { return n / each == thread; });
      CHECK(std::is_sorted(of_one.begin(), of_one.end()));
    }
  };
  run();
  run(tact::heavy);
  run(tact::blocking);
}

TEST_CASE("stash: in front means before what is more urgent, and a full mailbox does not refuse it", "[law4][law5]") {
  const nothing_left left;
  tact::engine engine(quiet_options(0));
  const auto seen = std::make_shared<std::vector<int>>();
  struct urgency {
    int operator()(const note& m) const { return m.number; }
    int operator()(const unlock&) const { return 1'000; }
  };
  const auto at = engine.create(shut_gate(seen, comes_back::in_front), tact::by_priority(urgency()),
                                tact::mailbox_limit{.messages = 4, .when_full = tact::when_full::reject});
  for (int n = 0; n < 3; ++n) engine.send(at, note{n});
  require_idle(engine);  // they are put aside, the most urgent one first
  for (int n = 7; n < 10; ++n) engine.send(at, note{n});
  engine.send(at, unlock{});
  require_idle(engine);
  CHECK(*seen == std::vector<int>{2, 1, 0, 9, 8, 7});
}

TEST_CASE("stash: a handler that waits for an answer keeps what it gives back in front of what came meanwhile",
          "[law5]") {
  const nothing_left left;
  const int asks_before = GENERATE(0, 1, 2);
  tact::engine engine(quiet_options(1));
  const auto seen = std::make_shared<std::vector<int>>();
  struct ask_first {};
  struct waiter : tact::protocol<note, ask_first> {};
  tact::support::door answers;
  const auto slow = engine.create(tact::behavior<request<knock>>{[&](auto& self, const request<knock>& m) {
                                    answers.pass();
                                    self.reply(m, 0);
                                  }},
                                  tact::blocking);
  const auto stashed = std::make_shared<tact::stash<waiter>>();
  const auto is_open = std::make_shared<bool>(false);
  const auto at = engine.create(tact::behavior<waiter>{
      [=](tact::self<waiter>& self, const note& m) {
        if (*is_open) return seen->push_back(m.number);
        *stashed = stashed->put(self, m);
      },
      [=](tact::self<waiter>& self, const ask_first&) {
        *is_open = true;
        const auto waiting = std::exchange(*stashed, {});
        for (int asks = 0; asks != 3; ++asks) {
          if (asks == asks_before) waiting.give_back_in_front(self);
          if (asks != 2) self.ask(slow, knock{});
        }
      },
  });
  for (int n = 0; n < 3; ++n) engine.send(at, note{n});
  engine.send(at, ask_first{});
  for (int n = 3; n < 6; ++n) engine.send(at, note{n});
  answers.open();
  require_idle(engine);
  CHECK(*seen == std::vector<int>{0, 1, 2, 3, 4, 5});
}

TEST_CASE("stash: a run that throws behind giving back in front, and one that is discarded, leave nothing",
          "[law1][law4]") {
  const nothing_left left;
  tact::engine engine(quiet_options(1));
  struct try_it {
    bool throws;
  };
  struct holder : tact::protocol<note, try_it> {};
  const auto seen = std::make_shared<std::vector<int>>();
  const auto kept = std::make_shared<tact::stash<holder>>();
  const auto at = engine.create(tact::behavior<holder>{
                                    [=](tact::self<holder>& self, const note& m) {
                                      m.number < 0 ? void(*kept = kept->put(self, m)) : seen->push_back(m.number);
                                    },
                                    [=](tact::self<holder>& self, const try_it& m) {
                                      kept->give_back_in_front(self);
                                      if (m.throws) throw std::runtime_error("behind giving back");
                                      self.discard();
                                    },
                                },
                                tact::failure_rule(tact::failure_policy::go_on));
  engine.send(at, note{-1});
  engine.send(at, try_it{true});
  engine.send(at, try_it{false});
  engine.send(at, note{1});
  require_idle(engine);
  CHECK(*seen == std::vector<int>{1});
  CHECK(kept->size() == 1);
  *kept = {};
}

TEST_CASE("stash: a classic actor keeps one as a member, and gives it back in front", "[law5]") {
  const nothing_left left;
  struct teller : tact::actor<teller, note, lock, unlock> {
    explicit teller(numbers s) : seen(std::move(s)) {}
    void receive(tact::self<teller>& self, const note& m) {
      is_open ? seen->push_back(m.number) : void(waiting = waiting.put(self, m));
    }
    void receive(tact::self<teller>&, const lock&) { is_open = false; }
    void receive(tact::self<teller>& self, const unlock&) {
      is_open = true;
      std::exchange(waiting, {}).give_back_in_front(self);
    }
    numbers seen;
    bool is_open = false;
    tact::stash<note> waiting{};
  };
  tact::engine engine(quiet_options(0));
  const auto seen = std::make_shared<std::vector<int>>();
  const auto at = engine.spawn<teller>(seen);
  at | note{0} | note{1} | unlock{} | note{2} | lock{} | note{3} | unlock{} | note{4};
  require_idle(engine);
  CHECK(*seen == std::vector<int>{0, 1, 2, 3, 4});
}

TEST_CASE("stash: for a parallel actor giving back in front is giving back", "[law4]") {
  const nothing_left left;
  tact::engine engine(quiet_options(2));
  const auto count = std::make_shared<std::atomic<int>>(0);
  struct store : tact::protocol<note, unlock> {};
  const auto put = [count](auto again, tact::stash<store> waiting) -> tact::behavior<store> {
    return {
        [=](tact::self<store>& self, const note& m) { self.become(again(again, waiting.put(self, m))); },
        [=](tact::self<store>& self, const unlock&) {
          waiting.give_back_in_front(self);
          self.become({[count](auto&, const note&) { ++*count; }, [](auto&, const unlock&) {}});
        },
    };
  };
  const auto at = engine.create(put(put, {}), tact::parallel);
  for (int n = 0; n < 10; ++n) engine.send(at, note{n});
  require_idle(engine);
  engine.send(at, unlock{});
  require_idle(engine);
  CHECK(*count == 10);
}

}  // namespace stash_test
