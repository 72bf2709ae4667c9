// tact::lazy: the service is asked on the first demand, once, and again after a failure, whatever fails.
#include "tact/patterns/lazy.hpp"
#include "patterns/trouble.hpp"

namespace lazy_test {

namespace {

using namespace tact::patterns_tests;
using tact::failure;
using tact::failure_reason;
using tact::request;

struct sum {
  using reply = long;
  tracked instance{};
};
using value = tact::value_of<long>;
using service = tact::ref<request<sum>>;

// What went on at the service and at those who asked.
struct course {
  std::atomic<int> demands{0};  // runs of the service, also those that throw later
  int answered = 0;
  int failed = 0;

  void ask(tact::engine& engine, tact::ref<request<value>> whom, tact::simulation& sim) {
    try {
      sim.check(engine.ask(whom, value{}) == 42, "a wrong value");
      ++answered;
    } catch (const tact::ask_error&) {
      ++failed;
    } catch (const std::bad_alloc&) {
      ++failed;
    }
  }
};

service open_service(tact::engine& engine, const std::shared_ptr<course>& c, int failures) {
  return engine.create(tact::behavior<request<sum>>{[c, failures](auto& self, const request<sum>& m) {
    if (c->demands++ < failures) throw std::runtime_error("not yet");
    self.reply(m, 42);
  }});
}

template <class Make>
void threads_demand(tact::simulation& sim, const trouble& t, bool parallel, const Make& make) {
  auto& engine = sim.engine(quiet_options(3));
  const auto c = std::make_shared<course>();
  const auto s = open_service(engine, c, 0);
  const auto l = parallel ? engine.create(make(s), tact::parallel) : engine.create(make(s));
  sim.run();
  sim.check(c->demands == 0, "asked before anybody wanted it");
  t.begin();
  for (int thread = 0; thread < 2; ++thread) {
    sim.start_thread([&engine, &sim, l, c] { c->ask(engine, l, sim); });
  }
  sim.run();
  sim.check(c->answered + c->failed == 2, "one who asked waits");
  c->ask(engine, l, sim);
  c->ask(engine, l, sim);
  sim.check(c->answered >= (t.is_none() ? 4 : 1), "it does not try again");
  sim.check(!t.is_none() || c->demands == 1, "the service was asked more than once");
  sim.end();
}

// The service fails the first request; who waits is told, and the next demand tries again.
void first_request_fails(tact::simulation& sim, const trouble& t) {
  auto& engine = sim.engine(quiet_options(3));
  const auto c = std::make_shared<course>();
  const auto s = open_service(engine, c, 1);
  const auto l = engine.create(tact::lazy(s, sum{}));
  t.begin();
  for (int thread = 0; thread < 2; ++thread) {
    sim.start_thread([&engine, &sim, l, c] {
      for (int i = 0; i < 2; ++i) c->ask(engine, l, sim);
    });
  }
  sim.run();
  sim.check(c->answered + c->failed == 4, "one who asked waits");
  if (t.is_none()) {
    sim.check(c->demands == 2, "one failure and one answer are two requests");
    sim.check(c->failed == 1 || c->failed == 2, "a failure was told to others than those who waited");
  }
  sim.end();
}

void ends_while_demanded(tact::simulation& sim, const trouble& t) {
  auto& engine = sim.engine(quiet_options(3));
  const auto c = std::make_shared<course>();
  const auto silent =
      engine.create(tact::behavior<request<sum>>{[](auto& self, const request<sum>& m) { self.defer(m); }});
  auto l = engine.create(tact::lazy(silent, sum{}), tact::owned);
  t.begin();
  for (int thread = 0; thread < 2; ++thread) {
    sim.start_thread([&engine, &sim, whom = l.ref(), c] { c->ask(engine, whom, sim); });
  }
  sim.run();
  l.reset();
  sim.run();
  sim.check(c->failed == 2, "one who asked waits");
  sim.end();
}

// Asks the service for everybody who comes before its answer.
struct eager {
  using self_type = tact::self<tact::eventual_protocol<long>>;
  void operator()(self_type& self, const request<value>& m) const {
    self.send(to, request<sum>{m.customer, {}});
    self.send(to, request<sum>{self.ref(), {}});
  }
  void operator()(self_type& self, long m) const {
    self.become(tact::detail::known_value<long>{tact::detail::keep(m)});
  }
  void operator()(self_type&, const failure&) const {}
  service to;
};

// Does not hear that its own run has failed.
struct deaf {
  using self_type = tact::self<tact::eventual_protocol<long>>;
  void operator()(self_type& self, const request<value>& m) const {
    if (waiting.empty()) self.send(to, request<sum>{self.ref(), {}});
    self.become(deaf{to, waiting.with(self, m, "lazy")});
  }
  void operator()(self_type& self, long m) const {
    self.become(tact::detail::known_value<long>{tact::detail::keep(m)});
    waiting.answer(self, m);
  }
  void operator()(self_type& self, const failure& f) const {
    self.become(deaf{to});
    waiting.fail(self, f);
  }
  service to;
  tact::detail::waiting_room<value> waiting{};
};

}  // namespace

TEST_CASE("lazy: its service is asked once, when somebody asks it, whatever fails", "[law1][law8]") {
  const bool parallel = GENERATE(false, true);
  require_whatever_fails([=](tact::simulation& sim, const trouble& t) {
    threads_demand(sim, t, parallel, [](service s) { return tact::lazy(s, sum{}); });
  });
}

TEST_CASE("lazy: after a failure, which is told to those who wait, the next demand tries again", "[law8]") {
  require_whatever_fails(first_request_fails);
}

TEST_CASE("lazy: when it ends those who wait in it are told, whatever fails", "[law8]") {
  require_whatever_fails(ends_while_demanded);
}

TEST_CASE("lazy: one that asks for each who comes, or does not hear of its own failure, is found", "[law8]") {
  require_found([](tact::simulation& sim, const trouble& t) {
    threads_demand(sim, t, false, [](service s) { return tact::behavior<tact::eventual_protocol<long>>(eager{s}); });
  });
  require_found_when_it_fails([](tact::simulation& sim, const trouble& t) {
    threads_demand(sim, t, false, [](service s) { return tact::behavior<tact::eventual_protocol<long>>(deaf{s}); });
  });
}

TEST_CASE("lazy: many threads hear one answer of one request, and nobody who does not ask makes one", "[law8][law13]") {
  TACT_FOR_EACH_THREAD_COUNT(workers);
  const bool parallel = GENERATE(false, true);
  const nothing_left left;
  tact::engine engine(quiet_options(workers));
  const auto c = std::make_shared<course>();
  const auto s = open_service(engine, c, 0);
  const auto l = parallel ? engine.create(tact::lazy(s, sum{}), tact::parallel) : engine.create(tact::lazy(s, sum{}));
  (void)engine.create(tact::lazy(s, sum{}));
  std::atomic<int> right{0};
  on_threads(4, [&](unsigned) {
    for (int i = 0; i < 100; ++i) right += engine.ask(l, value{}) == 42 ? 1 : 0;
  });
  require_idle(engine);
  CHECK(right == 400);
  CHECK(c->demands == 1);
}

TEST_CASE("lazy: an answer behind a failure is taken, and a second one is a dead letter", "[law4][law8]") {
  tact::engine engine(quiet_options(1));
  auto customer = std::make_shared<std::atomic<int>>(0);
  tact::ref<long> kept;  // only the service writes it, and the thread reads it behind an answer
  const auto s = engine.create(tact::behavior<request<sum>>{[&, customer](auto& self, const request<sum>& m) {
    ++*customer;
    kept = m.customer;
    self.fail(m, failure{failure_reason::mailbox_full, "later"});
  }});
  const auto l = engine.create(tact::lazy(s, sum{}));
  CHECK_THROWS_AS(engine.ask(l, value{}), tact::ask_error);
  engine.send(kept, 42L);
  CHECK(engine.ask(l, value{}) == 42);
  CHECK(*customer == 1);
  engine.send(kept, 43L);
  require_idle(engine);
  CHECK(engine.ask(l, value{}) == 42);
  CHECK(engine.statistics().dead_letters == 1);
}

}  // namespace lazy_test
