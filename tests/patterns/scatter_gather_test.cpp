// tact::scatter_gather: each request is answered once with what its members said, while members come, go and end,
// whatever fails.
#include "tact/patterns/scatter_gather.hpp"

#include <stdexcept>

#include "patterns/customers.hpp"
#include "patterns/trouble.hpp"

namespace scatter_gather_test {

namespace {

using namespace tact::patterns_tests;
using namespace std::chrono_literals;
using tact::failure_reason;
using tact::request;

struct quote {
  using reply = int;
  int number = 0;
  tracked instance{};
};
struct close_down {};
struct shop : tact::protocol<request<quote>, close_down> {};
using member = tact::ref<request<quote>>;
using members = std::vector<member>;
using answers = tact::to_all<quote>::reply;
using asked = tact::to_all<quote>;
using add = tact::add_member<request<quote>>;
using remove = tact::remove_member<request<quote>>;

// What a shop does with a question.
enum class manner : unsigned char { replies, throws, is_silent };

tact::ref<shop> open_shop(tact::engine& e, int of, manner m = manner::replies) {
  return e.create(tact::behavior<shop>{
      [=](auto& self, const request<quote>& q) {
        if (m == manner::throws) throw std::runtime_error("closed today");
        m == manner::replies ? self.reply(q, q.body.number + 100 * of) : self.defer(q);
      },
      [](tact::self<shop>& self, const close_down&) { self.stop(); },
  });
}

// Shops open and close while two threads ask.
template <class Make>
void shops_are_asked(tact::simulation& sim, const trouble& t, std::size_t quorum, const Make& make) {
  auto& engine = sim.engine(quiet_options(3));
  const auto all = std::make_shared<customers<answers>>(6);
  all->enter(engine, [&sim, quorum](auto&, std::size_t n, const answers& heard) {
    sim.check(heard.size() == quorum || quorum == 0, "not so many answers as were wanted");
    for (const auto& one : heard) sim.check(!one || *one % 100 == int(n), "the answer to another question");
    for (const auto& one : heard) sim.check(bool(one) || quorum == 0, "a failure is taken for an answer");
  });
  const auto first = open_shop(engine, 1);
  const auto second = open_shop(engine, 2);
  const auto late = open_shop(engine, 3);
  const auto shops = engine.create(make(members{first, second}));
  t.begin();
  sim.start_thread([=, &engine] {
    for (std::size_t n = 0; n < 2; ++n) all->ask(t, engine, shops, n, asked{{int(n)}});
    t.tries([&] { engine.send(first, close_down{}); });
    all->ask(t, engine, shops, 2, asked{{2}});
  });
  sim.start_thread([=, &engine] {
    all->ask(t, engine, shops, 3, asked{{3}});
    t.tries([&] { engine.send(shops, add{late}); });
  });
  sim.run();
  for (std::size_t n = 4; n < 6; ++n) all->ask(t, engine, shops, n, asked{{int(n)}});
  sim.run();
  all->check(sim, t);
  if (t.is_none()) sim.check(all->failures() <= (quorum == 2 ? 4 : 0), "a request failed that had members enough");
  if (t.is_none()) sim.check((*all)[5].answers == 1, "there are shops, and no answer");
  sim.end();
}

auto scattered(std::size_t quorum) {
  return [quorum](const members& m) { return tact::scatter_gather<quote>(m, {.quorum = quorum}); };
}

// Asks each, and never hears of an end: answers only when all have answered.
struct hopeful_scattered : tact::protocol<request<asked>, add> {};
tact::behavior<hopeful_scattered> hopeful(members all) {
  return {
      [all](tact::self<hopeful_scattered>& self, const request<asked>& m) {
        self.defer(m);
        const auto so_far = std::make_shared<answers>();
        for (const member one : all) {
          self.ask(one, m.body.query, [=, to = m.customer, count = all.size()](tact::transaction& tx, int answer) {
            so_far->push_back(answer);
            if (so_far->size() == count) tx.send(to, *so_far);
          });
        }
      },
      [all](tact::self<hopeful_scattered>& self, const add& m) {
        members more = all;
        more.push_back(m.member);
        self.become(hopeful(more));
      },
  };
}

}  // namespace

TEST_CASE("scatter_gather: each request is answered once while members come and end, whatever fails",
          "[law1][law4][law8]") {
  const std::size_t quorum = GENERATE(0U, 1U, 2U);
  require_whatever_fails(
      [=](tact::simulation& sim, const trouble& t) { shops_are_asked(sim, t, quorum, scattered(quorum)); }, 500, 10);
}

TEST_CASE("scatter_gather: one that waits for a member that has ended is found", "[law8]") {
  require_found([](tact::simulation& sim, const trouble& t) { shops_are_asked(sim, t, 0, hopeful); });
}

TEST_CASE("scatter_gather: a member that has ended leaves, also when the run that hears of it fails", "[law8]") {
  const bool comes_late = GENERATE(false, true);
  require_whatever_fails([=](tact::simulation& sim, const trouble& t) {
    auto& engine = sim.engine(quiet_options(2));
    const auto closing = open_shop(engine, 1);
    members at_first{open_shop(engine, 2)};
    if (!comes_late) at_first.push_back(closing);
    const auto shops = engine.create(tact::scatter_gather<quote>(at_first));
    static_cast<void>(engine.ask(shops, asked{}));
    engine.send(shops, add{closing});
    sim.run();
    const auto closed = std::make_shared<std::atomic<int>>(0);
    engine.monitor(closing, engine.create(tact::behavior<tact::ended>{[closed](auto&, const auto&) { ++*closed; }}));
    sim.run();
    t.begin();
    t.tries([&] { engine.send(closing, close_down{}); });
    sim.run();
    if (*closed != 0 && (t.is_none() || t.has_come())) {
      sim.check(engine.ask(shops, asked{{7}}).size() == 1, "a shop that has closed is a member");
    }
    sim.end();
  });
}

TEST_CASE("scatter_gather: outcomes are in the order of the members, and members come and go", "[law8]") {
  const nothing_left left;
  tact::engine engine(quiet_options(1));
  const auto one = open_shop(engine, 1);
  const auto torn = open_shop(engine, 2, manner::throws);
  const auto shops = engine.create(tact::scatter_gather<quote>({one, torn, one, member()}));
  const auto first = engine.ask(shops, asked{{5}});
  REQUIRE(first.size() == 2);
  CHECK(first[0].value() == 105);
  CHECK_THROWS_WITH(first[1].value(), Catch::Contains("closed today"));
  engine.send(shops, add{open_shop(engine, 3)});
  engine.send(shops, add{one});
  engine.send(shops, remove{torn});
  const auto second = engine.ask(shops, asked{{6}});
  REQUIRE(second.size() == 2);
  CHECK((second[0].value() == 106 && second[1].value() == 306));
  const auto nobody = engine.create(tact::scatter_gather<quote>({}));
  CHECK_THROWS_WITH(engine.ask(nobody, asked{}), Catch::Contains("fewer members"));
  require_idle(engine);
}

TEST_CASE("scatter_gather: a quorum is so many answers, and fails as soon as it cannot come, or with the limit",
          "[law8]") {
  tact::simulation sim(1);
  auto& engine = sim.engine(quiet_options(2));
  const auto silent = open_shop(engine, 9, manner::is_silent);
  const auto torn = open_shop(engine, 8, manner::throws);
  const auto ask = [&](const members& m, std::size_t quorum) {
    return engine.ask(engine.create(tact::scatter_gather<quote>(m, {.quorum = quorum, .limit = 3ms})), asked{{1}});
  };
  const auto two = ask({silent, open_shop(engine, 1), torn, open_shop(engine, 2)}, 2);
  REQUIRE(two.size() == 2);
  CHECK(two[0].value() + two[1].value() == 101 + 201);
  CHECK(sim.now() == 0ms);
  CHECK_THROWS_WITH(ask({open_shop(engine, 1), torn}, 2), Catch::Contains("no quorum of 2 answers came"));
  CHECK_THROWS_WITH(ask({open_shop(engine, 1)}, 2), Catch::Contains("fewer members"));
  CHECK(sim.now() == 0ms);
  CHECK_THROWS_WITH(ask({open_shop(engine, 1), silent}, 2), Catch::Contains("timed out: no quorum"));
  CHECK(sim.now() == 3ms);
  const auto all = ask({silent, open_shop(engine, 1)}, 0);
  REQUIRE(all.size() == 2);
  CHECK(all[0].why().reason == failure_reason::timed_out);
  CHECK(all[1].value() == 101);
  CHECK(sim.now() == 6ms);
}

TEST_CASE("scatter_gather: the members that are not needed for a quorum are cancelled", "[law8]") {
  tact::engine engine(quiet_options(1));
  tact::context of_slow;
  const member slow = engine.create(tact::behavior<request<quote>>{[&](auto& self, const request<quote>& m) {
    self.defer(m);
    of_slow = self.context();
  }});
  const auto shops = engine.create(tact::scatter_gather<quote>({slow, open_shop(engine, 1)}, {.quorum = 1}));
  CHECK(engine.ask(shops, asked{{1}}).size() == 1);
  require_idle(engine);
  CHECK(of_slow.stop_requested());
}

TEST_CASE("scatter_gather: many threads ask, and each hears all members", "[law4][law10]") {
  TACT_FOR_EACH_THREAD_COUNT(workers);
  const std::size_t quorum = GENERATE(0U, 2U);
  const nothing_left left;
  tact::engine engine(quiet_options(workers));
  const members all{open_shop(engine, 1), open_shop(engine, 2), open_shop(engine, 3)};
  const auto shops = engine.create(tact::scatter_gather<quote>(all, {.quorum = quorum}), tact::parallel);
  static_cast<void>(engine.ask(shops, asked{}));
  require_idle(engine);
  const auto before = engine.statistics().messages_sent;
  std::atomic<int> wrong{0};
  on_threads(4, [&](unsigned thread) {
    for (int i = 0; i < scaled(200); ++i) {
      const auto heard = engine.ask(shops, asked{{int(thread)}});
      if (heard.size() != (quorum == 0 ? 3 : quorum)) ++wrong;
      for (const auto& one : heard) wrong += one && *one % 100 == int(thread) ? 0 : 1;
    }
  });
  require_idle(engine);
  CHECK(wrong == 0);
  // The request, three requests and answers, and the answer.
  CHECK(engine.statistics().messages_sent - before == std::uint64_t(4 * scaled(200)) * 8);
}

}  // namespace scatter_gather_test
