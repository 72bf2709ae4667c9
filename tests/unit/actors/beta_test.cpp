// Betas: customers made on the spot, which run once.
#include <stdexcept>

#include "support/engine_fixture.hpp"

namespace beta_test {

namespace {

using namespace tact::support;
using tact::failure_reason;

struct query {
  using reply = int;
  int number = 0;
  int answers = 1;
};
struct server : tact::protocol<tact::request<query>> {};
tact::behavior<server> open_server() {
  return {[](auto& self, const tact::request<query>& m) {
    if (m.body.number < 0) throw std::runtime_error("negative");
    for (int i = 0; i < m.body.answers; ++i) self.reply(m, m.body.number + i);
  }};
}

struct go {
  int number;
  int answers = 1;
};

struct heard {
  std::atomic<int> answers{0};
  std::atomic<int> sum{0};
  std::atomic<int> failures{0};
  std::atomic<failure_reason> reason{};
};

// Asks `to` with a beta.
tact::behavior<go> open_client(tact::ref<server> to, heard& h, bool hears_failure) {
  return {[=, &h](tact::self<go>& self, const go& m) {
    const auto then = [&h, kept = tracked()](tact::transaction&, int answer) {
      ++h.answers;
      h.sum += answer;
    };
    const auto otherwise = [&h, kept = tracked()](tact::transaction&, const tact::failure& f) {
      ++h.failures;
      h.reason = f.reason;
    };
    const auto customer = hears_failure ? self.beta(then, otherwise) : self.beta(then);
    self.send(to, tact::request<query>{customer, {m.number, m.answers}});
  }};
}

}  // namespace

TEST_CASE("beta: the first answer wins, the next ones are dead letters", "[actor]") {
  TACT_FOR_EACH_WORKER_COUNT(workers);
  const nothing_left left;
  heard h;
  tact::engine engine(quiet_options(workers));
  const auto client = engine.create(open_client(engine.create(open_server(), tact::parallel), h, true), tact::parallel);
  engine.send(client, go{5, 3});
  require_idle(engine);
  REQUIRE(engine.dead_letters().size() == 2);
  for (const auto& letter : engine.dead_letters()) CHECK(letter.reason == failure_reason::answered_already);
  // Of many, some answers come when the beta's place has been many others': then their target has ended.
  const int asks = scaled(500);
  for (int i = 0; i < asks; ++i) engine.send(client, go{5, 3});
  require_idle(engine);
  CHECK(h.answers == asks + 1);
  CHECK(h.failures == 0);
  CHECK(engine.statistics().dead_letters == 2 * static_cast<std::uint64_t>(asks + 1));
}

TEST_CASE("beta: a failure is heard by the one who listens, and is a dead letter for the others", "[actor]") {
  TACT_FOR_EACH_WORKER_COUNT(workers);
  const nothing_left left;
  heard h;
  tact::engine engine(quiet_options(workers));
  const auto good = engine.create(open_server(), tact::parallel);
  engine.send(engine.create(open_client(good, h, true), tact::parallel), go{-1});
  require_idle(engine);
  CHECK(h.failures == 1);
  CHECK(h.reason.load() == failure_reason::handler_threw);
  engine.send(engine.create(open_client({}, h, true), tact::parallel), go{1});
  require_idle(engine);
  CHECK(h.failures == 2);
  CHECK(h.reason.load() == failure_reason::target_ended);
  engine.send(engine.create(open_client(good, h, true), tact::parallel), go{1, 0});
  require_idle(engine);
  CHECK(h.failures == 3);
  CHECK(h.reason.load() == failure_reason::unanswered);
  engine.send(engine.create(open_client(good, h, false), tact::parallel), go{-1});
  require_idle(engine);
  CHECK(h.answers == 0);
  CHECK(engine.dead_letters().back().reason == failure_reason::failure_not_heard);
}

TEST_CASE("beta: what it was made with goes when it has run, and when the engine ends before", "[actor]") {
  const nothing_left left;
  heard h;
  {
    tact::engine engine(quiet_options(2));
    const auto silent = engine.create(
        tact::behavior<server>{[](auto& self, const tact::request<query>& m) { self.defer(m); }}, tact::parallel);
    engine.send(engine.create(open_client(silent, h, true), tact::parallel), go{1});
    engine.wait_idle();
    CHECK(tracked::alive == 2);
  }
  CHECK(h.answers == 0);
}

TEST_CASE("beta: a request to a beta that has run tells its customer that it was answered already", "[actor]") {
  tact::engine engine(quiet_options(2));
  tact::ref<tact::request<query>> used;
  const auto maker =
      engine.create(tact::behavior<go>{[&](tact::self<go>& self, const go&) {
                      used = self.beta([](tact::transaction& tx, const tact::request<query>& m) { tx.reply(m, 1); });
                    }},
                    tact::parallel);
  engine.send(maker, go{0});
  require_idle(engine);
  CHECK(engine.ask(used, query{}) == 1);
  require_idle(engine);
  for (int i = 0; i < 3; ++i) {
    try {
      static_cast<void>(engine.ask(used, query{}));
      FAIL("answered twice");
    } catch (const tact::ask_error& e) {
      CHECK(e.reason() == failure_reason::answered_already);
    }
  }
  // The customer is gone as well.
  const tact::ref<int> nobody_any_more = tact::ref<int>{};
  used | tact::request<query>{nobody_any_more, {}};
  require_idle(engine);
}

TEST_CASE("beta: on_commit runs once for each commit, never for a run that was discarded", "[actor]") {
  TACT_FOR_EACH_WORKER_COUNT(workers);
  const nothing_left left;
  struct bump {
    unsigned kind;
  };
  struct counter {
    static tact::behavior<bump> open(std::atomic<int>& told, int n) {
      return {[&told, n](tact::self<bump>& self, const bump& m) {
        self.on_commit([&told, kept = tracked()] { ++told; });
        self.on_commit([&told](tact::transaction&) { ++told; });
        self.become(open(told, n + 1));
        std::this_thread::yield();
        if (m.kind == 1) throw std::runtime_error("no");
        if (m.kind == 2) self.discard();
      }};
    }
  };
  std::atomic<int> told{0};
  tact::engine engine(quiet_options(workers));
  const auto c = engine.create(counter::open(told, 0), tact::parallel);
  const auto bumps = static_cast<unsigned>(scaled(900)) / 3 * 3;
  for (unsigned i = 0; i < bumps; ++i) engine.send(c, bump{i % 3});
  require_idle(engine);
  CHECK(told == static_cast<int>(bumps) / 3 * 2);
}

}  // namespace beta_test
