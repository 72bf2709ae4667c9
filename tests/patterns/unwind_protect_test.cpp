// tact::unwind_protect: each request is cleaned up after once, and its customer is told once, whatever fails.
// tact::on_failure: the same for requests that have failed.
#include "tact/patterns/unwind_protect.hpp"

#include "patterns/customers.hpp"
#include "patterns/trouble.hpp"

namespace unwind_protect_test {

namespace {

using namespace std::chrono_literals;
using namespace tact::patterns_tests;
using tact::failure;
using tact::request;

struct job {
  using reply = int;
  int number = 0;
  tracked instance{};
};
struct clean {
  int number = 0;
};
using room = clean;
using service = tact::ref<request<job>>;

constexpr int jobs = 5;

// How often each request was cleaned up after.
using cleaned = std::array<std::atomic<int>, jobs>;

tact::behavior<room> open_room(const std::shared_ptr<cleaned>& times) {
  return {[times](auto&, const clean& m) { ++(*times)[std::size_t(m.number)]; }};
}

// The requests that are at the service.
using kept_requests = std::shared_ptr<std::vector<request<job>>>;

service open_service(tact::engine& engine, const kept_requests& kept) {
  return engine.create(tact::behavior<request<job>>{[kept](auto& self, const request<job>& m) {
    kept->push_back(m);
    self.defer(m);
  }});
}

struct set_up {
  bool fails_at_service;       // the trouble begins when all requests are at the service
  bool ends = false;           // the relays end while they are
  bool only_failures = false;  // an answer is not followed by a message
};

// Whether as many messages came as customers heard failures: for each request that was at the service.
void check_failures(tact::simulation& sim, const set_up& how, const customers<int>& all, const cleaned& times) {
  for (std::size_t n = 0; n != times.size(); ++n) {
    sim.check(times[n] <= all[n].failures, "a message without a failure");
    if (how.fails_at_service) sim.check(times[n] == all[n].failures, "a failure without a message");
  }
}

// The service answers 0 and 3, fails 1 and 4, and forgets 2.
void end_requests(tact::simulation& sim, const trouble& t, tact::engine& engine, const kept_requests& kept) {
  for (const auto& m : *kept) {
    sim.start_thread([&engine, t, to = m.customer, n = m.body.number] {
      if (n % 3 == 0) t.tries([&] { engine.send(to, n); });
      if (n % 3 == 1)
        t.tries([&] {
          engine.send(tact::ref<failure>(tact::detail::access::make_ref<failure>(tact::detail::access::port_of(to))),
                      failure{tact::failure_reason::handler_threw, "no"});
        });
    });
  }
  sim.run();
  sim.advance(6s);
}

void check_all(tact::simulation& sim, bool must_all, const cleaned& times) {
  int sum = 0;
  for (const auto& once : times) {
    sim.check(once <= 1, "cleaned up twice");
    sum += once;
  }
  sim.check(sum >= (must_all ? jobs : jobs - 1), "a request is not cleaned up after");
}

template <class Make>
void all_are_cleaned_up(tact::simulation& sim, const trouble& t, const set_up& how, const Make& make) {
  auto& engine = sim.engine(quiet_options(3));
  const auto times = std::make_shared<cleaned>();
  const auto kept = std::make_shared<std::vector<request<job>>>();
  const auto all = std::make_shared<customers<int>>(jobs);
  const auto at = engine.create(open_room(times));
  all->enter(engine,
             [&sim](auto&, std::size_t n, int answer) { sim.check(std::size_t(answer) == n, "a wrong answer"); });
  const auto s = open_service(engine, kept);
  std::vector<tact::owner<request<job>>> relays;
  for (int n = 0; n < jobs; ++n) relays.push_back(engine.create(make(s, at, clean{n}), tact::owned));
  if (!how.fails_at_service) t.begin();
  for (int n = 0; n < jobs; ++n) {
    const auto to = relays[std::size_t(n)].ref();
    sim.start_thread([=, &engine] { all->ask(t, engine, to, std::size_t(n), job{n}); });
  }
  sim.run();
  if (how.ends) relays.clear();
  if (how.fails_at_service) t.begin();
  end_requests(sim, t, engine, kept);
  all->check(sim, t);
  how.only_failures ? check_failures(sim, how, *all, *times)
                    : check_all(sim, how.fails_at_service || t.is_none(), *times);
  if (t.is_none()) sim.check(all->answers() == 2, "an answer is lost");
  kept->clear();
  sim.end();
}

tact::behavior<request<job>> protected_by(service s, tact::ref<room> at, clean m) {
  return tact::unwind_protect(s, at, m, 5s);
}

tact::behavior<request<job>> told_on_failure(service s, tact::ref<room> at, clean m) {
  return tact::on_failure(s, at, m, 5s);
}

// Cleans up in the functions of an ask: a run of theirs that throws is not made good.
tact::behavior<request<job>> by_an_ask(service s, tact::ref<room> at, clean m, bool behind_answers) {
  return {[=](tact::self<request<job>>& self, const request<job>& asked) {
    const auto customer = asked.customer;
    self.ask(
        s, asked.body, 5s,
        [=](tact::transaction& tx, int answer) {
          tact::detail::tell_if_it_fails(tx, customer);
          if (behind_answers) tx.send(at, m);
          tx.send(customer, answer);
        },
        [=](tact::transaction& tx, const failure& f) {
          tact::detail::tell_if_it_fails(tx, customer);
          tx.send(at, m);
          tx.fail(customer, f);
        });
    self.defer(asked);
  }};
}
tact::behavior<request<job>> forgetful(service s, tact::ref<room> at, clean m) { return by_an_ask(s, at, m, true); }
// Tells the failures that it hears, and not that of the run in which it passes an answer on.
tact::behavior<request<job>> forgets_its_own(service s, tact::ref<room> at, clean m) {
  return by_an_ask(s, at, m, false);
}
// Cleans up at the limit, whatever was before.
tact::behavior<request<job>> twice(service s, tact::ref<room> at, clean m) {
  return {[=](tact::self<request<job>>& self, const request<job>& asked) {
    const auto customer = asked.customer;
    self.send_after(5s, at, m);
    self.ask(
        s, asked.body,
        [=](tact::transaction& tx, int answer) {
          tx.send(at, m);
          tx.send(customer, answer);
        },
        [=](tact::transaction& tx, const failure& f) {
          tx.send(at, m);
          tx.fail(customer, f);
        });
    self.defer(asked);
  }};
}

}  // namespace

TEST_CASE("unwind_protect: what is at the service is cleaned up after once, whatever fails", "[law1][law8]") {
  const bool ends = GENERATE(false, true);
  require_whatever_fails([=](tact::simulation& sim, const trouble& t) {
    all_are_cleaned_up(sim, t, {.fails_at_service = true, .ends = ends}, protected_by);
  });
}

TEST_CASE("unwind_protect: a request fails, or goes on and is cleaned up after, whatever fails", "[law1][law8]") {
  require_whatever_fails([](tact::simulation& sim, const trouble& t) {
    all_are_cleaned_up(sim, t, {.fails_at_service = false}, protected_by);
  });
}

TEST_CASE("unwind_protect: one that cleans up twice, or not when its run throws, is found", "[law8]") {
  require_found(
      [](tact::simulation& sim, const trouble& t) { all_are_cleaned_up(sim, t, {.fails_at_service = true}, twice); });
  require_found_when_it_fails([](tact::simulation& sim, const trouble& t) {
    all_are_cleaned_up(sim, t, {.fails_at_service = true}, forgetful);
  });
}

TEST_CASE("on_failure: each failure of what is at the service is told once, and no answer, whatever fails",
          "[law1][law8]") {
  const bool at_service = GENERATE(false, true);
  require_whatever_fails([=](tact::simulation& sim, const trouble& t) {
    all_are_cleaned_up(sim, t, {.fails_at_service = at_service, .only_failures = true}, told_on_failure);
  });
}

TEST_CASE("on_failure: one that tells answers too, or not the failure of its own run, is found", "[law8]") {
  require_found([](tact::simulation& sim, const trouble& t) {
    all_are_cleaned_up(sim, t, {.fails_at_service = true, .only_failures = true}, protected_by);
  });
  require_found_when_it_fails([](tact::simulation& sim, const trouble& t) {
    all_are_cleaned_up(sim, t, {.fails_at_service = true, .only_failures = true}, forgets_its_own);
  });
}

TEST_CASE("unwind_protect: at the limit it cleans up, not before, and a later answer is a dead letter",
          "[law4][law8]") {
  const nothing_left left;
  tact::simulation sim(1);
  auto& engine = sim.engine(quiet_options(1));
  const auto times = std::make_shared<cleaned>();
  const auto kept = std::make_shared<std::vector<request<job>>>();
  const auto at = engine.create(open_room(times));
  const auto s = open_service(engine, kept);
  const auto relay = engine.create(tact::unwind_protect(s, at, clean{}, 50ms));
  customers<int> all(1);
  all.enter(engine, [](auto&, std::size_t, int) {});
  all.ask(trouble(sim, trouble::kind::none, 0), engine, relay, 0, job{});
  sim.advance(49ms);
  CHECK((*times)[0] == 0);
  sim.advance(1ms);
  CHECK((*times)[0] == 1);
  CHECK(all[0].reason == tact::failure_reason::timed_out);
  engine.send(kept->front().customer, 5);
  sim.run();
  CHECK(all[0].all() == 1);
  CHECK((*times)[0] == 1);
  CHECK(engine.statistics().dead_letters == 1);
  CHECK_THROWS_AS(tact::unwind_protect(s, at, clean{}, 0ms), tact::usage_error);
  CHECK_THROWS_AS(tact::on_failure(s, at, clean{}, 0ms), tact::usage_error);
}

TEST_CASE("unwind_protect: of two the inner one cleans up first, and a service that has ended fails", "[law4][law8]") {
  tact::engine engine(quiet_options(1));
  std::vector<int> order;
  const auto at = engine.create(tact::behavior<clean>{[&](auto&, const clean& m) { order.push_back(m.number); }});
  auto gone = engine.create(tact::behavior<request<job>>{[](auto& self, const request<job>& m) { self.reply(m, 1); }},
                            tact::owned);
  const auto inner = engine.create(tact::unwind_protect(gone.ref(), at, clean{1}));
  const auto outer = engine.create(tact::unwind_protect(inner, at, clean{2}));
  CHECK(engine.ask(outer, job{}) == 1);
  gone.reset();
  CHECK_THROWS_AS(engine.ask(outer, job{}), tact::ask_error);
  require_idle(engine);
  CHECK(order == std::vector<int>{1, 2, 1, 2});
}

TEST_CASE("unwind_protect: many threads ask through one, and each request is cleaned up after once", "[law4][law13]") {
  TACT_FOR_EACH_THREAD_COUNT(workers);
  const bool parallel = GENERATE(false, true);
  const nothing_left left;
  tact::engine engine(quiet_options(workers));
  std::atomic<int> times{0};
  const auto at = engine.create(tact::behavior<clean>{[&](auto&, const clean&) { ++times; }}, tact::parallel);
  const auto s = engine.create(tact::behavior<request<job>>{[](auto& self, const request<job>& m) {
                                 if (m.body.number % 2 != 0) throw std::runtime_error("odd");
                                 self.reply(m, m.body.number);
                               }},
                               tact::parallel);
  auto relay = tact::unwind_protect(s, at, clean{}, 1h);
  const auto to = parallel ? engine.create(std::move(relay), tact::parallel) : engine.create(std::move(relay));
  std::atomic<int> right{0};
  on_threads(4, [&](unsigned) {
    for (int i = 0; i < 100; ++i) {
      try {
        right += engine.ask(to, job{i}) == i && i % 2 == 0 ? 1 : 0;
      } catch (const tact::ask_error&) {
        right += i % 2;
      }
    }
  });
  require_idle(engine);
  CHECK(right == 400);
  CHECK(times == 400);
}

}  // namespace unwind_protect_test
