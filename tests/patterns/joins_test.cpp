// Joins: self.ask_all, ask_first and ask_any, and the services all_of, first_of and any_ok. Whatever the services do
// and whatever fails, each request ends once, and no outcome is lost.
#include <array>
#include <memory>
#include <vector>

#include "patterns/trouble.hpp"
#include "tact/patterns/all_of.hpp"
#include "tact/patterns/first_of.hpp"

namespace joins_test {

namespace {

using namespace tact::patterns_tests;
using namespace std::chrono_literals;
using tact::failure;
using tact::failure_reason;
using tact::outcome;
using tact::request;
using tact::transaction;

struct price {
  using reply = long;
  int item = 0;
  tracked instance{};
};
using shop = tact::ref<request<price>>;

// What a shop does with a request.
enum class habit : unsigned char { answers, answers_twice, throws, forgets, is_gone };

shop open_shop(tact::engine& e, habit how, int number) {
  if (how == habit::is_gone) return {};
  return e.create(tact::behavior<request<price>>{[=](auto& self, const request<price>& m) {
                    if (how == habit::throws) throw std::runtime_error("closed");
                    if (how == habit::forgets) return;
                    self.reply(m, m.body.item * 100 + number);
                    if (how == habit::answers_twice) self.reply(m, -1);
                  }},
                  tact::parallel);
}
std::vector<shop> open_shops(tact::engine& e, const std::vector<habit>& all) {
  std::vector<shop> shops;
  for (const habit h : all) shops.push_back(open_shop(e, h, static_cast<int>(shops.size())));
  return shops;
}
failure_reason reason_for(habit how) {
  return how == habit::throws    ? failure_reason::handler_threw
         : how == habit::forgets ? failure_reason::unanswered
                                 : failure_reason::target_ended;
}

// Is the outcome what such a shop gives?
bool is_of(const outcome<long>& o, habit how, int item, std::size_t number) {
  if (how == habit::answers || how == habit::answers_twice) return o && *o == item * 100L + static_cast<long>(number);
  return !o && o.why().reason == reason_for(how);
}

const std::vector<habit> mixed{habit::answers, habit::throws,  habit::answers_twice,
                               habit::answers, habit::forgets, habit::is_gone};

price item_of(int item) { return {.item = item}; }
tact::to_all<price> all_of_item(int item) { return {{.item = item}}; }

struct all_right {
  bool operator()(const std::vector<outcome<long>>& all, int item) const {
    if (all.size() != mixed.size()) return false;
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (!is_of(all[i], mixed[i], item, i)) return false;
    }
    return true;
  }
  bool operator()(const tact::ask_error&) const { return false; }
};

// The same when a run of a shop may fail: a shop that answers may have failed.
struct nearly_all_right {
  bool operator()(const std::vector<outcome<long>>& all, int item) const {
    unsigned wrong = 0;
    for (std::size_t i = 0; i < all.size(); ++i) wrong += is_of(all[i], mixed[i], item, i) ? 0U : 1U;
    return all.size() == mixed.size() && wrong <= 1;
  }
  bool operator()(const tact::ask_error&) const { return false; }
};

}  // namespace

TEST_CASE("all_of: each request is answered once, with every outcome in its place, whatever fails", "[law1][law8]") {
  const bool parallel = GENERATE(false, true);
  require_whatever_fails([=](tact::simulation& sim, const trouble& t) {
    auto& engine = sim.engine(quiet_options(3));
    auto b = tact::all_of<price>(open_shops(engine, mixed));
    const auto gate = parallel ? engine.create(std::move(b), tact::parallel) : engine.create(std::move(b));
    t.begin();
    t.is_none() ? ask_through(sim, t, engine, gate, all_of_item, all_right())
                : ask_through(sim, t, engine, gate, all_of_item, nearly_all_right());
  });
}

TEST_CASE("any_ok: each request ends once, with an answer while one shop gives it, whatever fails", "[law1][law8]") {
  require_whatever_fails([](tact::simulation& sim, const trouble& t) {
    auto& engine = sim.engine(quiet_options(3));
    const auto gate = engine.create(tact::any_ok<price>(open_shops(engine, mixed)), tact::parallel);
    t.begin();
    struct right {
      bool operator()(long answer, int item) const { return answer / 100 == item && answer >= 0; }
      bool operator()(const tact::ask_error&) const { return false; }
    };
    ask_through(sim, t, engine, gate, item_of, right());
  });
}

namespace {

// A service that is asked something else, with answers of the same type.
struct estimate {
  using reply = long;
  int item = 0;
  int digits = 0;
};
tact::ref<request<estimate>> open_estimator(tact::engine& e, habit how) {
  return e.create(tact::behavior<request<estimate>>{[=](auto& self, const request<estimate>& m) {
    if (how == habit::throws) throw std::runtime_error("no idea");
    self.reply(m, m.body.item * 100 + m.body.digits);
  }});
}
using price_or_estimate = tact::to_first<price, estimate>;
price_or_estimate either_of_item(int item) { return {{price{.item = item}, estimate{item, 7}}}; }

}  // namespace

TEST_CASE("first_of, any_ok: services that are asked different queries race, whatever fails", "[law1][law8]") {
  const bool any = GENERATE(false, true);
  require_whatever_fails([=](tact::simulation& sim, const trouble& t) {
    auto& engine = sim.engine(quiet_options(3));
    const auto shop = open_shop(engine, habit::answers, 1);
    const auto estimator = open_estimator(engine, any ? habit::throws : habit::answers);
    const auto gate = engine.create(any ? tact::any_ok(shop, estimator) : tact::first_of(10s, shop, estimator));
    t.begin();
    struct right {
      bool any;
      bool operator()(long answer, int item) const {
        return answer == item * 100 + 1 || (!any && answer == item * 100 + 7);
      }
      bool operator()(const tact::ask_error&) const { return false; }
    };
    ask_through(sim, t, engine, gate, either_of_item, right{any});
  });
}

TEST_CASE("first_of: each request ends once, as one of its shops ends it, whatever fails", "[law1][law8]") {
  require_whatever_fails([](tact::simulation& sim, const trouble& t) {
    auto& engine = sim.engine(quiet_options(3));
    const auto gate = engine.create(tact::first_of<price>(open_shops(engine, {habit::answers, habit::throws})));
    t.begin();
    struct right {
      bool operator()(long answer, int item) const { return answer == item * 100; }
      bool operator()(const tact::ask_error& e) const { return e.reason() == failure_reason::handler_threw; }
    };
    ask_through(sim, t, engine, gate, item_of, right());
  });
}

namespace {

// A join that owes nothing: when the run that stores the last outcome fails, its customer waits for ever.
tact::behavior<request<tact::to_all<price>>> counts_by_itself(std::vector<shop> shops) {
  using outcomes = std::vector<outcome<long>>;
  struct state {
    explicit state(std::size_t n) : all(n), missing(n) {}
    outcomes all;
    std::atomic<std::size_t> missing;
  };
  return {[=](auto& self, const request<tact::to_all<price>>& m) {
    const auto s = std::make_shared<state>(shops.size());
    const auto take = [s, to = m.customer](transaction& tx, std::size_t i, outcome<long> o) {
      s->all[i] = std::move(o);
      if (--s->missing == 0) tx.send(to, std::move(s->all));
    };
    for (std::size_t i = 0; i < shops.size(); ++i) {
      self.ask(
          shops[i], m.body.query, [=](transaction& tx, long answer) { take(tx, i, answer); },
          [=](transaction& tx, const failure& f) { take(tx, i, f); });
    }
    self.defer(m);
  }};
}

}  // namespace

TEST_CASE("all_of: one that counts answers without a debt is found", "[law8]") {
  require_found_when_it_fails([](tact::simulation& sim, const trouble& t) {
    auto& engine = sim.engine(quiet_options(3));
    const auto gate = engine.create(counts_by_itself(open_shops(engine, mixed)));
    t.begin();
    ask_through(sim, t, engine, gate, all_of_item, nearly_all_right());
  });
}

// -- by a handler

namespace {

struct begin {
  using reply = long;
};

// Answers with what `then` makes of the outcomes.
template <class Ask>
tact::behavior<request<begin>> asker(Ask ask) {
  return {[=](auto& self, const request<begin>& m) {
    ask(self, m);
    self.defer(m);
  }};
}

long sum_of(const std::vector<outcome<long>>& all) {
  long sum = 0;
  for (const auto& o : all) sum += o ? *o : -1'000'000;
  return sum;
}

}  // namespace

TEST_CASE("self.ask_all: brings outcomes of any number of actors in their order, of none at once", "[law8]") {
  TACT_FOR_EACH_THREAD_COUNT(workers);
  const int count = GENERATE(0, 1, 61, 62, 63, 124, 125, 500);
  const nothing_left left;
  tact::engine engine(quiet_options(workers));
  std::vector<shop> shops;
  for (int i = 0; i < count; ++i) shops.push_back(open_shop(engine, i % 7 == 3 ? habit::throws : habit::answers, i));
  const auto a = engine.create(asker([shops](auto& self, const request<begin>& m) {
    self.ask_all(shops, item_of(1), [m](transaction& tx, std::vector<outcome<long>> all) {
      bool ordered = true;
      for (std::size_t i = 0; i < all.size(); ++i) {
        ordered = ordered && is_of(all[i], i % 7 == 3 ? habit::throws : habit::answers, 1, i);
      }
      tx.reply(m, ordered ? static_cast<long>(all.size()) : -1);
    });
  }));
  CHECK(engine.ask(a, begin{}) == count);
  require_idle(engine);
  CHECK(engine.statistics().actors_alive == static_cast<std::uint64_t>(count) + 1);
}

TEST_CASE("self.ask_any, ask_first: of nobody fail at once, and of more than 62 are refused by name", "[law8]") {
  tact::engine engine(quiet_options(2));
  const bool any = GENERATE(false, true);
  const auto ask_of = [&](std::vector<shop> shops) {
    return engine.ask(engine.create(asker([=](auto& self, const request<begin>& m) {
      const auto then = [m](transaction& tx, outcome<long> o) { o ? tx.reply(m, *o) : tx.fail(m, o.why()); };
      any ? self.ask_any(shops, price{}, then) : self.ask_first(shops, price{}, then);
    })),
                      begin{});
  };
  CHECK_THROWS_WITH(ask_of({}), Catch::Contains("nothing was asked"));
  CHECK_THROWS_WITH(ask_of(std::vector<shop>(63)), Catch::Contains("at most 62 actors can race, and here are 63"));
  CHECK_THROWS_WITH(tact::first_of<price>(std::vector<shop>(63)), Catch::Contains("tact::first_of"));
}

TEST_CASE("self.ask_any: when all have failed, says of each why", "[law8]") {
  tact::engine engine(quiet_options(2));
  const auto shops = open_shops(engine, {habit::throws, habit::is_gone});
  std::vector<std::string> causes;
  const auto a = engine.create(asker([&, shops](auto& self, const request<begin>& m) {
    self.ask_any(shops, price{}, [&, m](transaction& tx, const outcome<long>& o) {
      causes = o.why().causes;
      tx.fail(m, o.why());
    });
  }));
  CHECK_THROWS_WITH(engine.ask(a, begin{}), Catch::Contains("none of 2 requests was answered"));
  std::sort(causes.begin(), causes.end());
  REQUIRE(causes.size() == 2);
  CHECK(causes[0] == "handler threw: closed");
  CHECK(causes[1].substr(0, 12) == "target ended");
}

TEST_CASE("joins: what has not come within the limit has timed out, and what comes later is a dead letter",
          "[law4][law8]") {
  require_whatever_fails(
      [](tact::simulation& sim, const trouble& t) {
        auto& engine = sim.engine(quiet_options(2));
        // Answers what it was asked when it is told to.
        struct late : tact::protocol<request<price>, begin> {};
        const auto kept = std::make_shared<std::vector<request<price>>>();
        const auto slow = engine.create(tact::behavior<late>{[=](auto& self, const request<price>& m) {
                                                               kept->push_back(m);
                                                               self.defer(m);
                                                             },
                                                             [=](auto& self, const begin&) {
                                                               for (const auto& m : *kept) self.reply(m, 1);
                                                               kept->clear();
                                                             }});
        const std::vector<shop> shops{open_shop(engine, habit::answers, 0), slow};
        const auto all = engine.create(tact::all_of<price>(shops, 5ms));
        const auto any = engine.create(tact::any_ok<price>({slow, shop()}, 5ms));
        t.begin();
        sim.start_thread([&, t] {
          t.tries([&] {
            try {
              const auto came = engine.ask(all, all_of_item(3));
              sim.check(came.size() == 2, "an outcome is missing");
              sim.check(!came[1] && (came[1].why().reason == failure_reason::timed_out || !t.is_none()),
                        "not timed out");
              sim.check(is_of(came[0], habit::answers, 3, 0) || !t.is_none(), "an answer in time was lost");
            } catch (const tact::ask_error&) {
              sim.check(!t.is_none(), "an ask failed, and nothing has gone wrong");
            }
          });
          t.tries([&] {
            try {
              static_cast<void>(engine.ask(any, item_of(3)));
              sim.check(false, "an answer came that was not given");
            } catch (const tact::ask_error& e) {
              sim.check(e.reason() == failure_reason::timed_out || !t.is_none(), "not timed out");
            }
          });
          t.tries([&] { engine.send(slow, begin{}); });
        });
        sim.advance(20ms);
        sim.run();
        const auto s = engine.statistics();
        sim.check(s.messages_sent == s.commits + s.failures + s.dead_letters, "something is not accounted for");
        sim.end();
      },
      300);
}

TEST_CASE("first_of: the others are cancelled by a flag of their context", "[law8]") {
  TACT_FOR_EACH_THREAD_COUNT(workers);
  tact::engine engine(quiet_options(workers));
  std::atomic<bool> cancelled{false};
  struct again {
    request<price> m;
  };
  struct patient : tact::protocol<request<price>, again> {};
  // Looks at its context until the task is over.
  const auto slow = engine.create(tact::behavior<patient>{[](tact::self<patient>& self, const request<price>& m) {
                                                            self.defer(m);
                                                            self.send(self.ref(), again{m});
                                                          },
                                                          [&](tact::self<patient>& self, const again& a) {
                                                            if (!self.context().stop_requested())
                                                              return self.send(self.ref(), a);
                                                            cancelled = true;
                                                            self.reply(a.m, 0);
                                                          }});
  const auto quick = open_shop(engine, habit::answers, 7);
  const auto gate = engine.create(tact::first_of<price>({slow, quick}));
  CHECK(engine.ask(gate, item_of(1)) == 107);
  require_idle(engine);
  CHECK(cancelled);
  CHECK(engine.statistics().dead_letters == 0);
  CHECK(engine.statistics().actors_alive == 3);
}

TEST_CASE("self.ask_all: a continuation that throws is reported once, and leaves no actor", "[law1][law8]") {
  tact::engine_options o = quiet_options(2);
  std::atomic<int> reports{0};
  o.on_failure = [&](const tact::failure_report& r) { reports += r.what == "in then" ? 1 : 0; };
  tact::engine engine(o);
  const auto shops = open_shops(engine, {habit::answers, habit::answers});
  std::atomic<int> runs{0};
  struct go {};
  const auto a = engine.create(tact::behavior<go>{[&, shops](auto& self, const go&) {
    self.ask_all(shops, price{}, [&](transaction& tx, const std::vector<outcome<long>>& all) {
      ++runs;
      tx.send(tact::ref<long>(), sum_of(all));  // leaves no dead letter
      throw std::runtime_error("in then");
    });
  }});
  engine.send(a, go{});
  require_idle(engine);
  CHECK(runs == 1);
  CHECK(reports == 1);
  CHECK(engine.statistics().dead_letters == 0);
  CHECK(engine.statistics().actors_alive == 3);
}

TEST_CASE("joins: ten thousand requests through all_of, first_of and any_ok all end, on real threads", "[law4][law8]") {
  TACT_FOR_EACH_THREAD_COUNT(workers);
  const nothing_left left;
  tact::engine engine(quiet_options(workers));
  const auto shops = open_shops(engine, mixed);
  const auto all = engine.create(tact::all_of<price>(shops), tact::parallel);
  const auto any = engine.create(tact::any_ok<price>(shops), tact::parallel);
  const auto first = engine.create(tact::first_of<price>(shops), tact::parallel);
  std::atomic<int> heard{0};
  std::atomic<int> wrong{0};
  struct go {
    int item;
  };
  const auto client = engine.create(
      tact::behavior<go>{[&](auto& self, const go& g) {
        const int item = g.item;
        self.ask(
            all, all_of_item(item),
            [&, item](transaction&, const std::vector<outcome<long>>& o) {
              ++heard, wrong += all_right()(o, item) ? 0 : 1;
            },
            [&](const failure&) { ++wrong; });
        self.ask(
            any, item_of(item), [&, item](transaction&, long o) { ++heard, wrong += o / 100 == item ? 0 : 1; },
            [&](const failure&) { ++wrong; });
        self.ask(
            first, item_of(item), [&](transaction&, long) { ++heard; }, [&](const failure&) { ++heard; });
      }},
      tact::parallel);
  const int rounds = scaled(10'000);
  for (int i = 0; i < rounds; ++i) engine.send(client, go{i % 100});
  require_idle(engine);
  CHECK(heard == 3 * rounds);
  CHECK(wrong == 0);
}

}  // namespace joins_test
