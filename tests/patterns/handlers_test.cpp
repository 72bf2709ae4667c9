// tact::handlers, overriding and delegate: each message is handled by the handler that the composition says, once.
#include "tact/patterns/handlers.hpp"

#include "patterns/customers.hpp"
#include "patterns/trouble.hpp"

namespace handlers_test {

namespace {

using namespace tact::patterns_tests;
using tact::request;

struct add {
  int by = 0;
  tracked instance{};
};
struct total {
  using reply = int;
};
struct reset {};
struct count_calls {
  using reply = int;
};
struct counter : tact::protocol<add, request<total>> {};
struct large_counter : tact::protocol<counter, reset, request<count_calls>> {};

// The handlers of a counter, for any protocol that has its messages.
constexpr auto counting = [](int n, auto again) {
  return tact::handlers{
      [=](auto& self, const add& m) { self.become(again(n + m.by)); },
      [=](auto& self, const request<total>& m) { self.reply(m, n); },
  };
};

tact::behavior<counter> open_counter(int n = 0) { return counting(n, open_counter); }
// With more messages.
tact::behavior<large_counter> open_large(int n = 0) {
  return tact::handlers{
      counting(n, open_large),
      [](tact::self<large_counter>& self, const reset&) { self.become(open_large(0)); },
      [](tact::transaction& tx, const request<count_calls>& m) { tx.reply(m, -1); },
  };
}
// With one message handled anew: what is added counts twice.
tact::behavior<counter> open_double(int n = 0) {
  return tact::overriding(counting(n, open_double),
                          [=](tact::self<counter>& self, const add& m) { self.become(open_double(n + 2 * m.by)); });
}
// In front of a counter: it counts the adds, and handles nothing else itself.
tact::behavior<large_counter> open_front(tact::ref<counter> to, int calls = 0) {
  return tact::overriding(
      tact::delegate(to),
      [=](tact::self<large_counter>& self, const add& m) {
        self.pass_on(to, m);
        self.become(open_front(to, calls + 1));
      },
      [](auto&, const reset&) {}, [=](auto& self, const request<count_calls>& m) { self.reply(m, calls); });
}
// Takes what is handled anew for the base.
tact::behavior<counter> open_wrong(int n = 0) {
  const auto anew = [=](tact::self<counter>& self, const add& m) { self.become(open_wrong(n + 2 * m.by)); };
  return tact::overriding(tact::handlers{anew}, counting(n, open_wrong));
}
// Answers in the place of the actor that it delegates to, and lets that answer too.
tact::behavior<large_counter> open_twice(tact::ref<counter> to) {
  return tact::overriding(
      tact::delegate(to), [](auto&, const reset&) {},
      [=](auto& self, const request<total>& m) {
        self.reply(m, 6);
        self.send(to, m);
      },
      [](auto& self, const request<count_calls>& m) { self.reply(m, 0); });
}

// Two threads add six times, and customers ask after that, through what `make` puts before a counter.
template <class Make>
void add_and_ask(tact::simulation& sim, const trouble& t, int expected, const Make& make) {
  auto& engine = sim.engine(quiet_options(3));
  const auto all = std::make_shared<customers<int>>(3);
  all->enter(engine, [&sim, t, expected](auto&, std::size_t, int answer) {
    sim.check(answer == expected || !t.is_none(), "another total");
  });
  const auto to = make(engine);
  t.begin();
  for (int thread = 0; thread < 2; ++thread) {
    sim.start_thread([=, &engine] {
      for (int i = 0; i < 3; ++i) t.tries([&] { engine.send(to, add{1}); });
    });
  }
  sim.run();
  for (std::size_t n = 0; n < 3; ++n) all->ask(t, engine, to, n, total{});
  sim.run();
  all->check(sim, t);
  sim.check(all->failures() <= (t.is_none() ? 0 : 1), "a request fails without a reason");
  sim.end();
}

}  // namespace

TEST_CASE("handlers: a set does in a larger protocol what it does in its own, whatever fails", "[law1][law8]") {
  const bool parallel = GENERATE(false, true);
  require_whatever_fails([=](tact::simulation& sim, const trouble& t) {
    add_and_ask(sim, t, 6, [=](tact::engine& e) {
      return parallel ? e.create(open_large(), tact::parallel) : e.create(open_large());
    });
  });
}

TEST_CASE("overriding: what is handled anew is, and the rest as before, whatever fails", "[law1][law8]") {
  require_whatever_fails([](tact::simulation& sim, const trouble& t) {
    add_and_ask(sim, t, 12, [](tact::engine& e) { return e.create(open_double()); });
  });
}

TEST_CASE("delegate: what is not handled goes to the other actor, which answers once, whatever fails", "[law8]") {
  const bool parallel = GENERATE(false, true);
  require_whatever_fails([=](tact::simulation& sim, const trouble& t) {
    add_and_ask(sim, t, 6, [=](tact::engine& e) {
      const auto to = e.create(open_counter());
      return parallel ? e.create(open_front(to), tact::parallel) : e.create(open_front(to));
    });
  });
}

TEST_CASE("handlers: a base that comes before what is handled anew, or a second answer, is found", "[law1][law8]") {
  require_found([](tact::simulation& sim, const trouble& t) {
    add_and_ask(sim, t, 12, [](tact::engine& e) { return e.create(open_wrong()); });
  });
  require_found([](tact::simulation& sim, const trouble& t) {
    add_and_ask(sim, t, 6, [](tact::engine& e) { return e.create(open_twice(e.create(open_counter()))); });
  });
}

TEST_CASE("handlers: one that takes any message gets what no other names, and over a base all of them", "[law4]") {
  tact::engine engine(quiet_options(1));
  std::atomic<int> others{0};
  const auto any = [&](auto& self, const auto& m) {
    ++others;
    if constexpr (std::is_same_v<std::remove_cvref_t<decltype(m)>, request<total>>) self.reply(m, -7);
    if constexpr (std::is_same_v<std::remove_cvref_t<decltype(m)>, request<count_calls>>) self.reply(m, -8);
  };
  const auto constant = counting(5, [](int n) { return open_large(n); });
  const auto rest = engine.create(tact::behavior<large_counter>{tact::handlers{constant, any}});
  CHECK(engine.ask(rest, total{}) == 5);
  CHECK(engine.ask(rest, count_calls{}) == -8);
  engine.send(rest, reset{});
  require_idle(engine);
  CHECK(others == 2);
  const auto all = engine.create(tact::behavior<large_counter>{tact::overriding(constant, any)});
  CHECK(engine.ask(all, total{}) == -7);
  const auto beside = engine.create(tact::behavior<large_counter>{constant, any});  // no set around them
  CHECK(engine.ask(beside, total{}) == 5);
  CHECK(engine.ask(beside, count_calls{}) == -8);
}

TEST_CASE("delegate: to an actor that has ended a request fails, and to the actor itself each message does", "[law8]") {
  tact::engine engine(quiet_options(1));
  auto gone = engine.create(open_counter(), tact::owned);
  const auto front = engine.create(open_front(gone.ref()));
  CHECK(engine.ask(front, total{}) == 0);
  gone.reset();
  CHECK_THROWS_AS(engine.ask(front, total{}), tact::ask_error);
  CHECK(engine.ask(front, count_calls{}) == 0);
  struct turn_round {
    using reply = void;
  };
  struct round : tact::protocol<request<total>, request<turn_round>> {};
  const auto circle = engine.create(tact::behavior<round>{
      [](auto& self, const request<total>& m) { self.reply(m, 1); },
      [](tact::self<round>& self, const request<turn_round>& m) {
        self.become(tact::behavior<round>{tact::delegate(self.ref())});
        self.reply(m);
      },
  });
  engine.ask(circle, turn_round{});
  CHECK_THROWS_WITH(engine.ask(circle, total{}), Catch::Contains("the actor's own"));
}

TEST_CASE("handlers: many threads use a composition, and nothing is lost", "[law4][law13]") {
  TACT_FOR_EACH_THREAD_COUNT(workers);
  const bool parallel = GENERATE(false, true);
  const nothing_left left;
  tact::engine engine(quiet_options(workers));
  const auto to = engine.create(open_double());
  const auto front = parallel ? engine.create(open_front(to), tact::parallel) : engine.create(open_front(to));
  on_threads(4, [&](unsigned) {
    for (int i = 0; i < 100; ++i) engine.send(front, add{1});
  });
  require_idle(engine);
  CHECK(engine.ask(front, total{}) == 800);
  CHECK(engine.ask(front, count_calls{}) == 400);
}

}  // namespace handlers_test
