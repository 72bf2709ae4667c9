// tact::ask_each and tact::par_map: every outcome is in its place, so many are under way and no more, whatever fails.
#include "tact/patterns/ask_each.hpp"

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <vector>

#include "patterns/trouble.hpp"

namespace ask_each_test {

namespace {

using namespace tact::patterns_tests;
using tact::failure_reason;
using tact::outcome;
using tact::request;
using tact::transaction;

enum class fate : unsigned char { answered, answered_twice, thrown, forgotten };

struct job {
  using reply = long;
  int number = 0;
  fate how = fate::answered;
  tracked instance{};
};
using service = tact::ref<request<job>>;
using outcomes = std::vector<outcome<long>>;

struct load {
  std::atomic<int> inside{0};
  std::atomic<int> most{0};
  std::atomic<int> asked{0};
};
using shared_load = std::shared_ptr<load>;

// A service whose answers another actor gives.
template <class Creator>
service open_service(Creator& in, const shared_load& at) {
  const service finish = in.create(tact::behavior<request<job>>{[at](auto& self, const request<job>& m) {
    --at->inside;
    if (m.body.how == fate::forgotten) return;
    self.reply(m, m.body.number * 10L);
    if (m.body.how == fate::answered_twice) self.reply(m, -1L);
  }});
  return in.create(tact::behavior<request<job>>{[at, finish](auto& self, const request<job>& m) {
    ++at->asked;
    if (m.body.how == fate::thrown) throw std::runtime_error("out of order");
    const int inside = ++at->inside;
    if (inside > at->most) at->most = inside;
    self.pass_on(finish, m);
  }});
}

constexpr fate mixed[] = {fate::answered, fate::thrown, fate::answered_twice, fate::forgotten, fate::answered};

std::vector<job> jobs_of(int item) {
  std::vector<job> all;
  for (const fate how : mixed) all.push_back({.number = item * 100 + int(all.size()), .how = how});
  return all;
}
tact::query_batch<job> batch_of(int item) { return {jobs_of(item)}; }

bool is_of(const outcome<long>& o, fate how, long number) {
  switch (how) {
    case fate::answered:
    case fate::answered_twice:
      return o && *o == number * 10;
    case fate::thrown:
      return !o && o.why().reason == failure_reason::handler_threw;
    case fate::forgotten:
      return !o && o.why().reason == failure_reason::unanswered;
  }
  return false;
}

// At most so many outcomes are others than the services give: a run of a service may have failed.
struct right {
  int wrong_max;
  bool operator()(const outcomes& all, int item) const {
    if (all.size() != std::size(mixed)) return false;
    int wrong = 0;
    for (std::size_t i = 0; i != all.size(); ++i) wrong += is_of(all[i], mixed[i], item * 100 + long(i)) ? 0 : 1;
    return wrong <= wrong_max;
  }
  bool operator()(const tact::ask_error&) const { return false; }
};

template <class Make>
void batches_are_asked(tact::simulation& sim, const trouble& t, std::size_t at_once, const Make& make) {
  auto& engine = sim.engine(quiet_options(2));
  const auto at = std::make_shared<load>();
  const auto gate = engine.create(make(std::vector{open_service(engine, at), open_service(engine, at)}, at_once));
  t.begin();
  ask_through(sim, t, engine, gate, batch_of, right{t.is_none() ? 0 : 1});
  // Two threads ask, each with one batch at a time.
  if (t.is_none()) sim.check(at->most <= 2 * int(at_once), "too many are under way");
}

const auto by_par_map = [](std::vector<service> services, std::size_t at_once) {
  return tact::par_map<job>(std::move(services), {.at_once = at_once});
};

// Lanes of betas: a run that fails where it should have asked the next query takes its lane with it.
struct by_betas {
  struct state {
    std::vector<service> services;
    std::vector<job> queries;
    outcomes all;
    std::atomic<std::size_t> next{0};
    std::atomic<std::size_t> missing{0};
    tact::ref<outcomes> customer;
  };
  static void ask_next(transaction& tx, const std::shared_ptr<state>& s) {
    const std::size_t i = s->next++;
    if (i >= s->queries.size()) return;
    const auto take = [s, i](transaction& later, outcome<long> o) {
      s->all[i] = std::move(o);
      if (--s->missing == 0) return later.send(s->customer, s->all);
      ask_next(later, s);
    };
    tx.ask(
        s->services[i % s->services.size()], s->queries[i],
        [take](transaction& later, long answer) { take(later, answer); },
        [take](transaction& later, const tact::failure& f) { take(later, f); });
  }
  tact::behavior<request<tact::query_batch<job>>> operator()(std::vector<service> services, std::size_t at_once) const {
    return {[services, at_once](auto& self, const request<tact::query_batch<job>>& m) {
      const auto s = std::make_shared<state>();
      s->services = services;
      s->queries = m.body.queries;
      s->all.resize(s->queries.size());
      s->missing = s->queries.size();
      s->customer = m.customer;
      self.defer(m);
      for (std::size_t i = 0; i != at_once; ++i) ask_next(self, s);
    }};
  }
};

struct begin {};

}  // namespace

TEST_CASE("par_map: each batch is answered once, with every outcome in its place, whatever fails", "[law1][law8]") {
  const std::size_t at_once = GENERATE(1U, 2U, 8U);
  require_whatever_fails(
      [=](tact::simulation& sim, const trouble& t) { batches_are_asked(sim, t, at_once, by_par_map); }, 300, 10);
}

TEST_CASE("par_map: one that loses a lane with a run that fails is found", "[law8]") {
  require_found_when_it_fails(
      [](tact::simulation& sim, const trouble& t) { batches_are_asked(sim, t, 2, by_betas()); });
}

TEST_CASE("ask_each: what has decided stops the rest, which is told; those under way end first, whatever fails",
          "[law1][law8]") {
  const std::size_t at_once = GENERATE(1U, 2U);
  require_whatever_fails(
      [=](tact::simulation& sim, const trouble& t) {
        auto& engine = sim.engine(quiet_options(2));
        const auto at = std::make_shared<load>();
        const auto calls = std::make_shared<int>(0);
        const auto result = std::make_shared<outcomes>();
        const auto to = open_service(engine, at);
        const auto asker = engine.create(tact::behavior<begin>{[=](auto& self, const begin&) {
          std::vector<job> queries;
          for (int n = 0; n != 8; ++n) queries.push_back({n});
          tact::ask_each(
              self, to, std::move(queries), {.at_once = at_once}, [](const outcome<long>& o) { return o && *o == 20; },
              [=](transaction& tx, outcomes all) {
                tx.on_commit([=] {
                  ++*calls;
                  *result = all;
                });
              });
        }});
        t.begin();
        const bool is_sent = t.tries([&] { engine.send(asker, begin{}); });
        sim.run();
        sim.check(*calls <= 1, "the continuation ran twice");
        if (t.is_none()) {
          sim.check(is_sent && *calls == 1 && result->size() == 8, "not all has come");
          if (at_once == 1) sim.check(at->asked == 3, "more was asked when query 2 had been answered");
          for (std::size_t i = 0; i != 8; ++i) {
            const auto& o = (*result)[i];
            sim.check(o ? *o == long(i) * 10 : i > 2 && o.why().reason == failure_reason::unanswered,
                      "another outcome");
          }
        }
        sim.end();
      },
      300, 10);
}

TEST_CASE("ask_each: those under way hear that enough is known, and one that takes too long has timed out", "[law8]") {
  bool has_come = false;
  require_holds(
      scaled(100), trouble::kind::none, 0,
      [](tact::simulation& sim, const trouble&) {
        using namespace std::chrono_literals;
        auto& engine = sim.engine(quiet_options(2));
        const auto kept = std::make_shared<std::vector<tact::context>>();
        const auto result = std::make_shared<outcomes>();
        const auto to = engine.create(tact::behavior<request<job>>{[kept](auto& self, const request<job>& m) {
          if (m.body.number == 0) return self.reply(m, 7L);
          kept->push_back(self.context());
          self.defer(m);
        }});
        const auto asker = engine.create(tact::behavior<begin>{[=](auto& self, const begin&) {
          tact::ask_each(
              self, to, std::vector<job>{{1}, {0}, {2}}, {.at_once = 2, .limit = 1s},
              [](const outcome<long>& o) { return bool(o); },
              [result](transaction&, outcomes all) { *result = std::move(all); });
        }});
        engine.send(asker, begin{});
        sim.run();
        sim.check(kept->size() == 1 && kept->front().is_over(), "what is under way does not hear that it is over");
        sim.check(result->empty(), "the continuation did not wait for what is under way");
        sim.advance(2s);
        sim.check(result->size() == 3 && (*result)[1] && !(*result)[0] &&
                      (*result)[0].why().reason == failure_reason::timed_out &&
                      (*result)[2].why().reason == failure_reason::unanswered,
                  "other outcomes");
        sim.end();
      },
      has_come);
}

TEST_CASE("ask_each: nothing to ask is answered at once, and what cannot be asked is refused", "[law8]") {
  const nothing_left left;
  tact::engine engine(quiet_options(0));
  const auto at = std::make_shared<load>();
  const auto gate = engine.create(by_par_map({open_service(engine, at)}, 4));
  CHECK(engine.ask(gate, tact::query_batch<job>{}).empty());
  CHECK_THROWS_AS(by_par_map({}, 4), tact::usage_error);
  CHECK_THROWS_AS(by_par_map({service()}, 0), tact::usage_error);
  const auto nobody = engine.create(by_par_map({service()}, 4));
  const auto all = engine.ask(nobody, batch_of(1));
  CHECK(std::all_of(all.begin(), all.end(), [](const auto& o) { return !o; }));
}

TEST_CASE("ask_each: a continuation that throws is called once, and a query that cannot be copied has failed",
          "[law8]") {
  const nothing_left left;
  auto options = quiet_options(2);
  std::atomic<int> reports{0};
  options.on_failure = [&](const tact::failure_report&) { ++reports; };
  tact::engine engine(options);
  struct fragile {
    using reply = long;
    fragile() = default;
    explicit fragile(bool b) : breaks(b) {}
    fragile(const fragile& other) : breaks(other.breaks), copies(other.copies + 1) {
      if (breaks && copies > 1) throw std::runtime_error("a copy too many");
    }
    fragile(fragile&&) noexcept = default;
    fragile& operator=(const fragile&) = delete;
    fragile& operator=(fragile&&) = delete;
    ~fragile() = default;
    bool breaks = false;
    int copies = 1;
  };
  const auto to = engine.create(tact::behavior<request<fragile>>{[](auto& self, const auto& m) { self.reply(m, 1L); }});
  std::atomic<int> calls{0};
  std::atomic<int> answered{0};
  const auto asker = engine.create(tact::behavior<begin>{[&, to](auto& self, const begin&) {
    std::vector<fragile> queries(4);
    queries.emplace_back(true);
    tact::ask_each(self, to, std::move(queries), {.at_once = 2}, [&](auto&, outcomes all) {
      ++calls;
      answered = int(std::count_if(all.begin(), all.end(), [](const auto& o) { return bool(o); }));
      throw std::runtime_error("behind the last answer");
    });
  }});
  engine.send(asker, begin{});
  require_idle(engine);
  CHECK(calls == 1);
  CHECK(answered == 4);
  CHECK(reports == 1);
}

TEST_CASE("par_map: a thousand queries of several threads go at most so many at a time", "[law4]") {
  TACT_FOR_EACH_THREAD_COUNT(workers);
  const nothing_left left;
  tact::engine engine(quiet_options(workers));
  const auto at = std::make_shared<load>();
  const auto gate = engine.create(
      by_par_map({open_service(engine, at), open_service(engine, at), open_service(engine, at)}, 8), tact::parallel);
  std::atomic<int> wrong{0};
  on_threads(3, [&](unsigned thread) {
    std::vector<job> queries;
    for (int i = 0; i != scaled(1'000); ++i) queries.push_back({int(thread) * 10'000 + i});
    const auto all = engine.ask(gate, tact::query_batch<job>{queries});
    for (std::size_t i = 0; i != queries.size(); ++i) {
      if (!all[i] || *all[i] != queries[i].number * 10L) ++wrong;
    }
  });
  require_idle(engine);
  CHECK(wrong == 0);
  CHECK(at->most <= 3 * 8);
}

}  // namespace ask_each_test
