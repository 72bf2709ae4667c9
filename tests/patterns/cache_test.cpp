// tact::cache: answers are kept as long as they should be, a query is at the service once, and whoever asks is told.
#include "tact/patterns/cache.hpp"

#include <list>
#include <map>

#include "patterns/trouble.hpp"

namespace cache_test {

namespace {

using namespace tact::patterns_tests;
using namespace std::chrono_literals;
using tact::failure;
using tact::failure_reason;
using tact::request;

struct square_of {
  using reply = long;
  int n = 0;
  friend bool operator<(const square_of& a, const square_of& b) { return a.n < b.n; }
};
using service = tact::ref<request<square_of>>;
// The same, and it shows when something of it is left.
struct traced_square_of : square_of {
  using reply = std::pair<long, tracked>;
  tracked instance{};
};

// What went on at the service and at those who asked.
struct course {
  std::array<std::atomic<int>, 16> asked{};
  int answered = 0;
  int failed = 0;

  void ask(tact::engine& engine, service whom, int n, tact::simulation& sim) {
    try {
      sim.check(engine.ask(whom, square_of{n}) == n * n, "a wrong answer");
      ++answered;
    } catch (const tact::ask_error&) {
      ++failed;
    } catch (const std::bad_alloc&) {
      ++failed;
    }
  }
};

service open_service(tact::engine& engine, const std::shared_ptr<course>& c, int failures = 0) {
  return engine.create(tact::behavior<request<square_of>>{[c, failures](auto& self, const request<square_of>& m) {
                         if (c->asked[static_cast<std::size_t>(m.body.n)]++ < failures)
                           throw std::runtime_error("not yet");
                         self.reply(m, m.body.n * m.body.n);
                       }},
                       tact::parallel);
}

template <class Make>
void threads_ask(tact::simulation& sim, const trouble& t, bool parallel, const Make& make) {
  auto& engine = sim.engine(quiet_options(3));
  const auto c = std::make_shared<course>();
  const auto s = open_service(engine, c);
  const service k = parallel ? engine.create(make(s), tact::parallel) : engine.create(make(s));
  t.begin();
  for (int thread = 0; thread < 3; ++thread) {
    sim.start_thread([&engine, &sim, k, c, thread] { c->ask(engine, k, 2 + thread / 2, sim); });
  }
  sim.run();
  sim.check(c->answered + c->failed == 3, "one who asked waits");
  sim.check(c->failed <= (t.is_none() ? 0 : 2), "the failure of one query was told to those who asked another");
  for (int again = 0; again < 2; ++again) {
    for (const int n : {2, 3}) c->ask(engine, k, n, sim);
  }
  sim.check(c->answered >= (t.is_none() ? 7 : 4), "an answer was not kept");
  if (t.is_none()) sim.check(c->asked[2] == 1 && c->asked[3] == 1, "the service was asked twice for the same");
  sim.end();
}

// The service fails the first request of each query.
void failures_are_not_kept(tact::simulation& sim, const trouble& t) {
  auto& engine = sim.engine(quiet_options(3));
  const auto c = std::make_shared<course>();
  const service k = engine.create(tact::cache<square_of>(open_service(engine, c, 1), {.entries = 4}));
  t.begin();
  for (int thread = 0; thread < 2; ++thread) {
    sim.start_thread([&engine, &sim, k, c] {
      for (int i = 0; i < 2; ++i) c->ask(engine, k, 2, sim);
    });
  }
  sim.run();
  sim.check(c->answered + c->failed == 4, "one who asked waits");
  if (t.is_none()) {
    sim.check(c->asked[2] == 2, "one failure and one answer are two requests");
    sim.check(c->failed == 1 || c->failed == 2, "a failure was told to others than those who waited");
  }
  sim.end();
}

void ends_while_asked(tact::simulation& sim, const trouble& t) {
  auto& engine = sim.engine(quiet_options(3));
  const auto c = std::make_shared<course>();
  const auto silent =
      engine.create(tact::behavior<request<square_of>>{[](auto& self, const request<square_of>& m) { self.defer(m); }});
  auto k = engine.create(tact::cache<square_of>(silent, {.entries = 4}), tact::owned);
  t.begin();
  for (int thread = 0; thread < 2; ++thread) {
    sim.start_thread([&engine, &sim, whom = k.ref(), c] { c->ask(engine, whom, 2, sim); });
  }
  sim.run();
  k.reset();
  sim.run();
  sim.check(c->failed == 2, "one who asked waits");
  sim.end();
}

// A cache that keeps answers for ever: whoever asks meanwhile asks the service too, or waits without end where a run
// fails.
struct naive {
  using protocol = tact::protocol<request<square_of>, std::pair<int, long>>;
  using self_type = tact::self<protocol>;
  void operator()(self_type& self, const request<square_of>& m) const {
    if (const auto at = known.find(m.body.n); at != known.end()) return self.reply(m, at->second);
    self.defer(m);
    self.ask(
        to, m.body,
        [me = self.ref(), customer = m.customer, n = m.body.n](tact::transaction& tx, long r) {
          tx.send(me, std::pair<int, long>(n, r));
          tx.send(customer, r);
        },
        [customer = m.customer](tact::transaction& tx, const failure& f) { tx.fail(customer, f); });
  }
  void operator()(self_type& self, const std::pair<int, long>& m) const {
    auto more = known;
    more.insert(m);
    self.become(naive{to, more});
  }
  service to;
  std::map<int, long> known{};
};

// The least recently used goes, as a list says.
class expected {
 public:
  explicit expected(std::size_t most) : most_(most) {}
  // Returns whether it is a hit.
  bool use(int n) {
    const auto at = std::find(all_.begin(), all_.end(), n);
    const bool hit = at != all_.end();
    if (hit) all_.erase(at);
    all_.push_front(n);
    if (all_.size() > most_) all_.pop_back();
    return hit;
  }

 private:
  std::size_t most_;
  std::list<int> all_;
};

}  // namespace

TEST_CASE("cache: a query is at the service once, and whoever asks is told, whatever fails", "[law1][law8]") {
  const bool parallel = GENERATE(false, true);
  require_whatever_fails([=](tact::simulation& sim, const trouble& t) {
    threads_ask(sim, t, parallel, [](service s) { return tact::cache<square_of>(s, {.entries = 4}); });
  });
}

TEST_CASE("cache: a failure is told to those who wait, and not kept, whatever fails", "[law8]") {
  require_whatever_fails(failures_are_not_kept);
}

TEST_CASE("cache: when it ends those who wait in it are told, whatever fails", "[law8]") {
  require_whatever_fails(ends_while_asked);
}

TEST_CASE("cache: one that asks for each who comes, or has a run that fails for them, is found", "[law8]") {
  const auto make = [](service s) { return tact::behavior<naive::protocol>(naive{s}); };
  require_found([=](tact::simulation& sim, const trouble& t) { threads_ask(sim, t, false, make); });
  require_found_when_it_fails([=](tact::simulation& sim, const trouble& t) { threads_ask(sim, t, false, make); });
}

TEST_CASE("cache: an answer is as old as it may be by the clock of the simulation, and then asked for again",
          "[law12]") {
  tact::simulation sim(1);
  auto& engine = sim.engine(quiet_options(2));
  const auto c = std::make_shared<course>();
  const service k = engine.create(tact::cache<square_of>(open_service(engine, c), {.entries = 4, .age = 10s}));
  c->ask(engine, k, 2, sim);
  sim.advance(9s);
  c->ask(engine, k, 2, sim);
  CHECK(c->asked[2] == 1);
  sim.advance(1s);
  c->ask(engine, k, 2, sim);
  CHECK(c->asked[2] == 2);
  sim.advance(9s);
  c->ask(engine, k, 2, sim);
  CHECK(c->asked[2] == 2);
  sim.end();
  CHECK(sim.failure().empty());
}

TEST_CASE("cache: an answer that comes again takes the place of the old one, and of no other", "[law12]") {
  tact::simulation sim(1);
  auto& engine = sim.engine(quiet_options(2));
  const auto c = std::make_shared<course>();
  const service k = engine.create(tact::cache<square_of>(open_service(engine, c), {.entries = 2, .age = 10s}));
  c->ask(engine, k, 1, sim);
  sim.advance(5s);
  c->ask(engine, k, 2, sim);
  c->ask(engine, k, 1, sim);
  sim.advance(5s);
  c->ask(engine, k, 1, sim);  // too old
  CHECK(c->asked[1] == 2);
  c->ask(engine, k, 2, sim);
  CHECK(c->asked[2] == 1);
  for (int i = 0; i < 20; ++i) {
    sim.advance(10s);
    for (const int n : {1, 2}) c->ask(engine, k, n, sim);
  }
  c->ask(engine, k, 3, sim);
  c->ask(engine, k, 2, sim);
  CHECK(c->asked[2] == 21);
  CHECK(c->failed == 0);
  sim.end();
  CHECK(sim.failure().empty());
}

TEST_CASE("cache: of more answers than it keeps the least recently used goes", "[law8]") {
  TACT_SEEDED(seed);
  const std::size_t most = GENERATE(1u, 2u, 5u, 16u);
  tact::engine engine(quiet_options(2));
  const auto c = std::make_shared<course>();
  const service k = engine.create(tact::cache<square_of>(open_service(engine, c), {.entries = most}));
  expected e(most);
  dice d(seed);
  int hits = 0;
  int asked = 0;
  for (int i = 0; i < scaled(2'000); ++i) {
    const int n = static_cast<int>(std::min(d.below(16), d.below(16)));
    hits += e.use(n) ? 1 : 0;
    CHECK(engine.ask(k, square_of{n}) == n * n);
    asked = 0;
    for (const auto& a : c->asked) asked += a;
    REQUIRE(asked + hits == i + 1);
  }
}

TEST_CASE("cache: many threads are answered right, and the service is asked once for each query", "[law8][law13]") {
  TACT_FOR_EACH_THREAD_COUNT(workers);
  const bool parallel = GENERATE(false, true);
  const nothing_left left;
  tact::engine engine(quiet_options(workers));
  std::array<std::atomic<int>, 16> asked{};
  using query = traced_square_of;
  const auto s = engine.create(tact::behavior<request<query>>{[&asked](auto& self, const request<query>& m) {
    ++asked[static_cast<std::size_t>(m.body.n)];
    self.reply(m, {m.body.n * m.body.n, {}});
  }});
  const tact::ref<request<query>> k = parallel ? engine.create(tact::cache<query>(s, {.entries = 16}), tact::parallel)
                                               : engine.create(tact::cache<query>(s, {.entries = 16}));
  std::atomic<int> right{0};
  on_threads(4, [&](unsigned i) {
    for (int n = 0; n < scaled(400); ++n) {
      const int q = (n + static_cast<int>(i)) % 16;
      right += engine.ask(k, query{{q}, {}}).first == q * q ? 1 : 0;
    }
  });
  require_idle(engine);
  CHECK(right == 4 * scaled(400));
  for (const auto& a : asked) CHECK(a == 1);
}

TEST_CASE("cache: one that could keep nothing is refused", "[law8]") {
  const service nobody;
  CHECK_THROWS_WITH(tact::cache<square_of>(nobody, {}), Catch::Matchers::Contains("cache_limits::entries"));
  CHECK_THROWS_WITH(tact::cache<square_of>(nobody, {.entries = 1, .age = 0s}),
                    Catch::Matchers::Contains("cache_limits::age"));
}

}  // namespace cache_test
