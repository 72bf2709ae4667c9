// tact::eventual: whoever asks is told once, before and after the value came, whatever fails.
#include "tact/patterns/eventual.hpp"

#include <future>

#include "patterns/trouble.hpp"
#include "tact/future.hpp"
#include "tact/patterns/lazy.hpp"

namespace eventual_test {

namespace {

using namespace tact::patterns_tests;
using tact::failure;
using tact::failure_reason;
using tact::request;

using value = tact::value_of<long>;
using service = tact::ref<request<value>>;

// Asks and says how that ended.
class asked {
 public:
  void ask(tact::engine& engine, service whom, tact::simulation& sim) {
    try {
      sim.check(engine.ask(whom, value{}) == 42, "a wrong value");
      ++answered;
    } catch (const tact::ask_error& e) {
      ++failed;
      reason = e.reason();
    } catch (const std::bad_alloc&) {
      ++refused;
    }
  }
  int answered = 0;
  int failed = 0;
  int refused = 0;
  failure_reason reason{};
};

enum class way { by_value, by_failure };

// Two threads ask and one answers. Who is told a value, and who is told a failure, is told the same later.
template <class Make>
void threads_ask(tact::simulation& sim, const trouble& t, bool parallel, way how, const Make& make) {
  auto& engine = sim.engine(quiet_options(3));
  const auto e = parallel ? engine.create(make(), tact::parallel) : engine.create(make());
  const auto a = std::make_shared<asked>();
  t.begin();
  for (int thread = 0; thread < 2; ++thread) {
    sim.start_thread([&engine, &sim, e, a] { a->ask(engine, e, sim); });
  }
  sim.start_thread([&engine, e, t, how] {
    const auto answer = [&] {
      how == way::by_value ? engine.send(e, 42L) : engine.send(e, failure{failure_reason::timed_out, "late"});
    };
    if (!t.tries(answer)) answer();
  });
  sim.run();
  sim.check(a->answered + a->failed + a->refused == 2, "one who asked waits");
  if (how == way::by_failure) sim.check(a->answered == 0, "a value that nobody has sent");
  if (how == way::by_value && t.is_none()) sim.check(a->answered == 2, "the value was not told");
  if (how == way::by_failure && t.is_none()) sim.check(a->reason == failure_reason::timed_out, "a wrong reason");
  const int answered = a->answered;
  a->ask(engine, e, sim);
  a->ask(engine, e, sim);
  if (answered != 0) sim.check(a->answered >= answered + (t.is_none() ? 2 : 1), "the value was forgotten");
  sim.check(a->answered + a->failed + a->refused == 4, "one who asked later waits");
  sim.end();
}

// Two threads ask one that ends when a run of it fails, and one answers.
void fails_and_ends(tact::simulation& sim, const trouble& t) {
  auto& engine = sim.engine(quiet_options(3));
  const auto e = engine.create(tact::eventual<long>(), tact::failure_rule(tact::failure_policy::end));
  const auto a = std::make_shared<asked>();
  t.begin();
  for (int thread = 0; thread < 2; ++thread) {
    sim.start_thread([&engine, &sim, e, a] { a->ask(engine, e, sim); });
  }
  sim.start_thread([&engine, e, t] {
    const auto answer = [&] { engine.send(e, 42L); };
    if (!t.tries(answer)) answer();
  });
  sim.run();
  sim.check(a->answered + a->failed + a->refused == 2, "one who asked waits");
  sim.end();
}

// Two threads ask one that has no value, and it ends.
void ends_while_asked(tact::simulation& sim, const trouble& t, bool parallel) {
  auto& engine = sim.engine(quiet_options(3));
  auto e = parallel ? engine.create(tact::eventual<long>(), tact::parallel, tact::owned)
                    : engine.create(tact::eventual<long>(), tact::owned);
  const auto a = std::make_shared<asked>();
  t.begin();
  for (int thread = 0; thread < 2; ++thread) {
    sim.start_thread([&engine, &sim, whom = e.ref(), a] { a->ask(engine, whom, sim); });
  }
  sim.start_thread([&e] { e.reset(); });
  sim.run();
  sim.check(a->failed + a->refused == 2, "one who asked waits");
  if (t.is_none()) sim.check(a->failed == 2 && a->reason == failure_reason::target_ended, "a wrong reason");
  sim.end();
}

struct sum {
  using reply = long;
};

// A client asks eventually, in a handler, and hands the eventual to another one.
void client_asks_eventually(tact::simulation& sim, const trouble& t) {
  auto& engine = sim.engine(quiet_options(3));
  const auto adder =
      engine.create(tact::behavior<request<sum>>{[](auto& self, const request<sum>& m) { self.reply(m, 42); }});
  const auto client = engine.create(tact::behavior<request<value>>{
      [adder](auto& self, const request<value>& m) { self.pass_on(tact::ask_eventually(self, adder, sum{}), m); }});
  const auto a = std::make_shared<asked>();
  t.begin();
  sim.start_thread([&engine, &sim, client, a] { a->ask(engine, client, sim); });
  sim.run();
  sim.check(a->answered + a->failed + a->refused == 1, "the client waits");
  if (t.is_none()) sim.check(a->answered == 1, "the client was not answered");
  sim.end();
}

// Is not told when the run fails that is told the value.
struct careless {
  using self_type = tact::self<tact::eventual_protocol<long>>;
  void operator()(self_type& self, const request<value>& m) const {
    self.become(careless{waiting.with(self, m, "eventual")});
  }
  void operator()(self_type& self, long m) const {
    self.become(tact::detail::known_value<long>{tact::detail::keep(m)});
    waiting.answer(self, m);
  }
  void operator()(self_type&, const failure&) const {}
  tact::detail::waiting_room<value> waiting{};
};

// Answers those who ask before the value with nothing.
struct forgetful {
  using self_type = tact::self<tact::eventual_protocol<long>>;
  void operator()(self_type& self, const request<value>& m) const {
    if (!waiting) return self.become(forgetful{m.customer}), self.defer(m);
    self.become(forgetful{m.customer});
    self.defer(m);
  }
  void operator()(self_type& self, long m) const {
    self.become(tact::detail::known_value<long>{tact::detail::keep(m)});
    self.send(waiting, m);
  }
  void operator()(self_type&, const failure&) const {}
  tact::ref<long> waiting{};
};

// Copies of it throw, once it has been armed.
struct fragile {
  explicit fragile(int n) : copies_left(n) {}
  fragile(fragile&&) noexcept = default;
  fragile(const fragile& other) : copies_left(other.copies_left - 1) {
    if (copies_left < 0) throw std::runtime_error("no more copies");
  }
  int copies_left;
  tracked instance{};
};

}  // namespace

TEST_CASE("eventual: whoever asks is told the value or the failure once, whatever fails", "[law1][law8]") {
  const bool parallel = GENERATE(false, true);
  const way how = GENERATE(way::by_value, way::by_failure);
  require_whatever_fails([=](tact::simulation& sim, const trouble& t) {
    threads_ask(sim, t, parallel, how, [] { return tact::eventual<long>(); });
  });
}

TEST_CASE("eventual: when it ends those who wait in it are told, whatever fails", "[law8]") {
  const bool parallel = GENERATE(false, true);
  require_whatever_fails([=](tact::simulation& sim, const trouble& t) { ends_while_asked(sim, t, parallel); });
}

TEST_CASE("eventual: when its failure ends it, those who wait in it are told", "[law8]") {
  require_whatever_fails(fails_and_ends, 200);
}

TEST_CASE("eventual: who asks eventually hands on a value that is not there yet, whatever fails", "[law1][law8]") {
  require_whatever_fails(client_asks_eventually);
}

TEST_CASE("eventual: one that is not told of its own failure, or remembers one who waits, is found", "[law8]") {
  require_found_when_it_fails([](tact::simulation& sim, const trouble& t) {
    threads_ask(sim, t, false, way::by_value, [] { return tact::behavior<tact::eventual_protocol<long>>(careless{}); });
  });
  require_found([](tact::simulation& sim, const trouble& t) {
    threads_ask(sim, t, false, way::by_value,
                [] { return tact::behavior<tact::eventual_protocol<long>>(forgetful{}); });
  });
}

TEST_CASE("eventual: of many answers the first counts, all hear the same, and the others are dead letters",
          "[law4][law8]") {
  TACT_FOR_EACH_THREAD_COUNT(workers);
  const bool parallel = GENERATE(false, true);
  tact::engine engine(quiet_options(workers));
  const auto e =
      parallel ? engine.create(tact::eventual<long>(), tact::parallel) : engine.create(tact::eventual<long>());
  std::mutex mutex;
  std::vector<long> heard;
  on_threads(8, [&](unsigned i) {
    if (i % 2 == 0) return engine.send(e, static_cast<long>(i));
    for (int n = 0; n < 100; ++n) {
      const long v = engine.ask(e, value{});
      const std::lock_guard lock(mutex);
      heard.push_back(v);
    }
  });
  require_idle(engine);
  CHECK(heard.size() == 400);
  CHECK(std::count(heard.begin(), heard.end(), heard.front()) == 400);
  CHECK(engine.statistics().dead_letters == 3);
}

TEST_CASE("eventual: those who wait hear in the order in which they asked, each in the context of its request",
          "[law5][law8]") {
  TACT_FOR_EACH_THREAD_COUNT(workers);
  tact::engine engine(quiet_options(workers));
  const auto e = engine.create(tact::eventual<long>());
  std::vector<int> order;  // only the collector writes
  struct named_number {
    int n;
  };
  const auto collector = engine.create(tact::behavior<long>{
      [&order](auto& self, long) { order.push_back(self.context().template find<named_number>()->n); }});
  for (int i = 0; i < 50; ++i) {
    tact::with_context(tact::context().with(named_number{i}), [&] { engine.send(e, request<value>{collector, {}}); });
  }
  engine.send(e, 7L);
  require_idle(engine);
  REQUIRE(order.size() == 50);
  CHECK(std::is_sorted(order.begin(), order.end()));
}

TEST_CASE("eventual: a value that cannot be copied is a failure, for all or for the one it was copied for", "[law8]") {
  const nothing_left left;
  tact::engine engine(quiet_options(1));
  const auto never = engine.create(tact::eventual<fragile>());
  engine.send(never, fragile(0));
  CHECK_THROWS_AS(engine.ask(never, tact::value_of<fragile>{}), tact::ask_error);
  const auto once = engine.create(tact::eventual<fragile>());
  engine.send(once, fragile(1));
  CHECK_THROWS_AS(engine.ask(once, tact::value_of<fragile>{}), tact::ask_error);
  const auto twice = engine.create(tact::eventual<fragile>());
  engine.send(twice, fragile(2));
  CHECK(engine.ask(twice, tact::value_of<fragile>{}).copies_left == 0);
}

TEST_CASE("eventual: an owned one ends with its last owner, a failed request is its answer", "[law8]") {
  tact::engine engine(quiet_options(2));
  const auto breaks = engine.create(
      tact::behavior<request<sum>>{[](auto&, const request<sum>&) { throw std::runtime_error("broken"); }});
  auto e = tact::ask_eventually(engine, breaks, sum{}, tact::owned);
  const auto address = e.ref();
  try {
    (void)engine.ask(address, value{});
    FAIL("an answer");
  } catch (const tact::ask_error& error) {
    CHECK(error.reason() == failure_reason::handler_threw);
    CHECK(std::string(error.what()).find("broken") != std::string::npos);
  }
  e.reset();
  require_idle(engine);
  try {
    (void)engine.ask(address, value{});
    FAIL("an answer");
  } catch (const tact::ask_error& error) {
    CHECK(error.reason() == failure_reason::target_ended);
  }
}

TEST_CASE("eventual, lazy: when the engine ends those who wait in them are told once", "[law8][law11]") {
  TACT_FOR_EACH_THREAD_COUNT(workers);
  std::vector<std::future<long>> all;
  {
    tact::engine engine(quiet_options(workers));
    const auto silent =
        engine.create(tact::behavior<request<sum>>{[](auto& self, const request<sum>& m) { self.defer(m); }});
    const auto e = tact::ask_eventually(engine, silent, sum{});
    const auto l = engine.create(tact::lazy(silent, sum{}));
    for (int i = 0; i < 20; ++i)
      all.push_back(i % 2 == 0 ? engine.ask_future(e, value{}) : engine.ask_future(l, value{}));
    if (workers % 2 == 0) require_idle(engine);
  }
  for (auto& f : all) CHECK_THROWS_AS(f.get(), tact::ask_error);
}

}  // namespace eventual_test
