// Law 8: a customer hears at once, with the reason, when no answer will come.
#include <optional>
#include <stdexcept>

#include "support/engine_fixture.hpp"

namespace failure_test {

namespace {

using namespace tact::support;
using tact::failure_reason;

struct ask_for {
  using reply = long;
  long what = 0;
};
struct end {};
struct release {};
struct server : tact::protocol<tact::request<ask_for>, end, release> {};

enum class manner { answer, answer_twice, fail, ignore, discard_answer, defer, pass_on, pass_on_other_way };

struct desk {
  tact::ref<server> colleague;
  tact::request<ask_for> kept;
};

tact::behavior<server> open_server(manner how, desk& d) {
  return {
      [how, &d](tact::self<server>& self, const tact::request<ask_for>& m) {
        switch (how) {
          case manner::answer:
            return self.reply(m, m.body.what + 1);
          case manner::answer_twice:
            self.reply(m, m.body.what + 1);
            return self.reply(m, m.body.what + 2);
          case manner::fail:
            self.reply(m, 13);
            throw std::runtime_error("no luck today");
          case manner::ignore:
            return;
          case manner::discard_answer:
            self.reply(m, 13);
            return self.discard();
          case manner::defer:
            d.kept = m;
            return self.defer(m);
          case manner::pass_on:
            return self.send(d.colleague, m);
          case manner::pass_on_other_way:
            d.colleague | m;
            return;
        }
      },
      [](tact::self<server>& self, const end&) { self.become({}); },
      [&d](tact::self<server>& self, const release&) { self.reply(d.kept, 7); },
  };
}

// Nothing when it was answered.
std::optional<failure_reason> outcome(tact::engine& engine, tact::ref<server> to) {
  try {
    if (engine.ask(to, ask_for{1}, generous)) return {};
    throw std::logic_error("nobody told the asker anything");
  } catch (const tact::ask_error& e) {
    return e.reason();
  }
}

// The reason why the ask failed. Throws when it was answered, or hangs.
template <class P>
failure_reason reason_of(tact::engine& engine, tact::ref<P> to, std::string* what = nullptr) {
  try {
    const auto answer = engine.ask(to, ask_for{1}, generous);
    throw std::logic_error(answer ? "answered " + std::to_string(*answer) : "nobody told the asker anything");
  } catch (const tact::ask_error& e) {
    if (what != nullptr) *what = e.what();
    return e.reason();
  }
}

}  // namespace

TEST_CASE("failure: an asker is told at once by whom its request fails", "[law8]") {
  TACT_FOR_EACH_WORKER_COUNT(workers);
  const bool in_order = GENERATE(false, true);
  desk d;
  tact::engine engine(quiet_options(workers));
  const auto open = [&](manner how) {
    return in_order ? engine.create(open_server(how, d)) : engine.create(open_server(how, d), tact::parallel);
  };
  std::string what;

  const auto good = open(manner::answer);
  CHECK(engine.ask(good, ask_for{1}) == 2);
  const long either = engine.ask(open(manner::answer_twice), ask_for{1});
  CHECK((either == 2 || either == 3));

  CHECK(reason_of(engine, open(manner::fail), &what) == failure_reason::handler_threw);
  CHECK(what.find("no luck today") != std::string::npos);
  CHECK(reason_of(engine, open(manner::ignore), &what) == failure_reason::unanswered);
  CHECK(what.find("defer") != std::string::npos);
  CHECK(reason_of(engine, open(manner::discard_answer)) == failure_reason::unanswered);
  CHECK(reason_of(engine, tact::ref<server>{}) == failure_reason::target_ended);

  d.colleague = good;
  CHECK(engine.ask(open(manner::pass_on), ask_for{4}) == 5);
  CHECK(engine.ask(open(manner::pass_on_other_way), ask_for{4}) == 5);
  CHECK(engine.ask(engine.create(tact::forwarder<tact::request<ask_for>>(good), tact::parallel), ask_for{4}) == 5);
  d.colleague = open(manner::ignore);
  CHECK(reason_of(engine, open(manner::pass_on)) == failure_reason::unanswered);
  d.colleague = {};
  CHECK(reason_of(engine, open(manner::pass_on)) == failure_reason::target_ended);
  CHECK(reason_of(engine, engine.create(tact::sink<server>(), tact::parallel)) == failure_reason::unanswered);

  engine.send(good, end{});
  require_idle(engine);
  CHECK(reason_of(engine, good) == failure_reason::target_ended);
  d.colleague = good;
  CHECK(reason_of(engine, open(manner::pass_on)) == failure_reason::target_ended);
  require_idle(engine);
}

TEST_CASE("failure: a deferred request is answered by a later run", "[law8]") {
  TACT_FOR_EACH_WORKER_COUNT(workers);
  desk d;
  tact::engine engine(quiet_options(workers));
  const auto server = engine.create(open_server(manner::defer, d));
  CHECK_FALSE(engine.ask(server, ask_for{1}, std::chrono::milliseconds(1)));
  std::atomic<long> answer{0};
  std::thread asker([&] { answer = engine.ask(server, ask_for{1}); });
  // Releases until the second request is there: the first asker has given up.
  while (answer == 0) {
    engine.send(server, release{});
    std::this_thread::yield();
  }
  asker.join();
  CHECK(answer == 7);
  require_idle(engine);
}

TEST_CASE("failure: a cancelled engine tells everybody who still waits", "[law8][law11]") {
  TACT_FOR_EACH_WORKER_COUNT(workers);
  for (int round = 0; round < scaled(20); ++round) {
    desk d;
    tact::engine engine(quiet_options(workers));
    const auto silent = engine.create(open_server(manner::defer, d));
    std::atomic<int> told{0};
    std::vector<std::thread> askers;
    for (int i = 0; i < 4; ++i) {
      askers.emplace_back([&] {
        if (reason_of(engine, silent) == failure_reason::engine_ended) ++told;
      });
    }
    if (round % 2 == 0) std::this_thread::yield();
    engine.cancel();
    for (auto& t : askers) t.join();
    REQUIRE(told == 4);
    REQUIRE(reason_of(engine, silent) == failure_reason::engine_ended);
    require_accounted(engine);
  }
}

TEST_CASE("failure: an asker hears from the actors of another engine, and from one that is gone", "[law8][law13]") {
  TACT_FOR_EACH_WORKER_COUNT(workers);
  desk d;
  tact::engine here(quiet_options(workers));
  tact::ref<server> good;
  {
    tact::engine there(quiet_options(2));
    good = there.create(open_server(manner::answer, d), tact::parallel);
    CHECK(here.ask(good, ask_for{1}) == 2);
    CHECK(reason_of(here, there.create(open_server(manner::fail, d), tact::parallel)) == failure_reason::handler_threw);
    CHECK(reason_of(here, there.create(open_server(manner::ignore, d), tact::parallel)) == failure_reason::unanswered);
    d.colleague = good;
    CHECK(here.ask(here.create(open_server(manner::pass_on, d), tact::parallel), ask_for{1}) == 2);
    there.send(good, end{});
    require_idle(there);
    CHECK(reason_of(here, good) == failure_reason::target_ended);
    // Dropped by the other engine's worker, because it was on its way when its target ended.
    for (int i = 0; i < scaled(50); ++i) {
      const auto mortal = there.create(open_server(manner::answer, d));
      std::thread ender([&] { there.send(mortal, end{}); });
      const auto why = outcome(here, mortal);
      CHECK((!why || why == failure_reason::target_ended));
      ender.join();
    }
  }
  CHECK_THROWS_AS(here.ask(good, ask_for{1}), tact::ask_error);
  CHECK_THROWS_AS(here.ask(here.create(open_server(manner::pass_on, d), tact::parallel), ask_for{1}), tact::ask_error);
}

}  // namespace failure_test
