// What a handler can do beside sending: betas, on_commit, discard, defer, groups.
#include <atomic>
#include <memory>
#include <stdexcept>
#include <vector>

#include "messages.hpp"
#include "support/catch.hpp"

namespace transaction_test {

using bank::account;
using bank::balance;
using bank::deposit;

namespace {

struct go {};

tact::behavior<account> fixed(long cents) {
  return {[](auto&, const deposit&) {}, [=](auto& self, const tact::request<balance>& m) { self.reply(m, cents); }};
}

// Runs f in a handler and waits until all that comes of it is done.
template <class F>
void in_handler(tact::engine& engine, F f) {
  engine.create(tact::behavior<go>{[f](tact::self<go>& self, const go&) {
                  self.stop();
                  f(self);
                }},
                tact::parallel) |
      go{};
  engine.wait_idle();
}

}  // namespace

TEST_CASE("beta: takes its message type from its second parameter, and runs once", "[api]") {
  tact::engine engine;
  const auto a = engine.create(fixed(5), tact::parallel);
  std::atomic<long> got{0};
  in_handler(engine, [&](auto& self) {
    const auto customer = self.beta([&](auto&, long cents) { got += cents; });
    STATIC_REQUIRE(std::is_same_v<decltype(customer), const tact::ref<long>>);
    STATIC_REQUIRE(std::is_same_v<decltype(self.beta([](tact::transaction&) {})), tact::ref<tact::done>>);
    self.send(a, tact::request<balance>{customer});
  });
  CHECK(got == 5);
}

TEST_CASE("beta: its second callable hears why no answer comes", "[api][law8]") {
  tact::engine engine;
  const auto s = engine.create(tact::sink<account>(), tact::parallel);
  std::atomic<int> heard{-1};
  in_handler(engine, [&](auto& self) {
    s | tact::request<balance>{
            self.beta([](auto&, long) {}, [&](auto&, const tact::failure& f) { heard = static_cast<int>(f.reason); })};
  });
  CHECK(heard == static_cast<int>(tact::failure_reason::unanswered));
  CHECK(engine.statistics().dead_letters == 0);
}

TEST_CASE("beta: what only moves may be moved out of its message", "[api]") {
  tact::engine engine;
  std::atomic<int> got{0};
  in_handler(engine, [&](auto& self) {
    self.beta([&](auto&, std::unique_ptr<int> n) { got = *n; }) | std::make_unique<int>(9);
  });
  CHECK(got == 9);
}

TEST_CASE("transaction: discard forgets what was staged, and goes on", "[api][law1]") {
  tact::engine engine;
  std::atomic<int> ran{0};
  in_handler(engine, [&](auto& self) {
    self.on_commit([&] { ran += 100; });
    self.discard();
    self.on_commit([&](tact::transaction&) { ran += 1; });
  });
  CHECK(ran == 1);
}

TEST_CASE("transaction: an answer that was discarded leaves the request unanswered", "[api]") {
  tact::engine engine;
  const auto a = engine.create(tact::behavior<tact::request<balance>>{[](auto& self, const tact::request<balance>& m) {
                                 self.reply(m, 1);
                                 self.discard();
                               }},
                               tact::parallel);
  try {
    engine.ask(a, balance{});
    FAIL("answered");
  } catch (const tact::ask_error& e) {
    CHECK(e.reason() == tact::failure_reason::unanswered);
  }
}

TEST_CASE("transaction: on_commit does not run for a handler that threw", "[api][law1]") {
  tact::engine_options quiet;
  quiet.on_failure = [](const tact::failure_report&) {};
  tact::engine engine(quiet);
  std::atomic<int> ran{0};
  in_handler(engine, [&](auto& self) {
    self.on_commit([&] { ++ran; });
    throw std::runtime_error("no");
  });
  CHECK(ran == 0);
  CHECK(engine.statistics().failures == 1);
}

TEST_CASE("transaction: an engine's sends and creations inside a handler are staged too", "[api][law1]") {
  tact::engine_options quiet;
  quiet.on_failure = [](const tact::failure_report&) {};
  tact::engine engine(quiet);
  std::atomic<int> heard{0};
  const auto counter = engine.create(tact::behavior<long>{[&](auto&, long) { ++heard; }}, tact::parallel);
  in_handler(engine, [&](auto&) {
    engine.send(counter, 1);
    counter | 2L;
    engine.send(engine.create(fixed(1), tact::parallel), deposit{1});
    throw std::runtime_error("no");
  });
  CHECK(heard == 0);
  in_handler(engine, [&](auto&) { engine.send(counter, 1); });
  CHECK(heard == 1);
}

TEST_CASE("transaction: a deferred request is answered by a later run", "[api]") {
  struct hold : tact::protocol<tact::request<balance>, go> {};
  struct keep {
    static tact::behavior<hold> open(std::vector<tact::ref<long>> waiting) {
      return {[waiting](tact::self<hold>& self, const tact::request<balance>& m) {
                self.defer(m);
                auto more = waiting;
                more.push_back(m.customer);
                self.become(open(std::move(more)));
              },
              [waiting](tact::self<hold>& self, const go&) {
                for (const auto w : waiting) self.send(w, 3);
                self.become(open({}));
              }};
    }
  };
  tact::engine engine;
  const auto h = engine.create(keep::open({}));
  std::atomic<long> got{0};
  in_handler(engine, [&](auto& self) { h | tact::request<balance>{self.beta([&](auto&, long n) { got = n; })}; });
  CHECK(got == 0);
  h | go{};
  engine.wait_idle();
  CHECK(got == 3);
}

TEST_CASE("create_group: actors know each other, made by a handler or by a thread", "[api]") {
  tact::engine engine;
  std::atomic<int> bounces{0};
  struct ball {
    int left;
  };
  struct shuttle {
    int left;
  };
  const auto make = [&](tact::ref<ball> x, tact::ref<shuttle> y) {
    return std::tuple{tact::behavior<ball>{[&bounces, y](auto&, const ball& m) {
                        ++bounces;
                        if (m.left > 0) y | shuttle{m.left - 1};
                      }},
                      tact::behavior<shuttle>{[&bounces, x](auto&, const shuttle& m) {
                        ++bounces;
                        if (m.left > 0) x | ball{m.left - 1};
                      }}};
  };
  const auto [x, y] = engine.create_group(make, tact::parallel);
  x | ball{9};
  y | shuttle{9};
  in_handler(engine, [&](auto& self) {
    const auto [u, v] = self.create_group(make);
    u | ball{9};
    self.send(v, shuttle{9});
  });
  CHECK(bounces == 40);
}

TEST_CASE("create_group: when making the behaviours throws, none of the actors exists", "[api][law1]") {
  tact::engine engine;
  const auto before = engine.statistics().actors_alive;
  const auto make = [](tact::ref<long>,
                       tact::ref<account>) -> std::tuple<tact::behavior<long>, tact::behavior<account>> {
    throw std::runtime_error("no");
  };
  CHECK_THROWS_AS(engine.create_group(make, tact::parallel), std::runtime_error);
  in_handler(engine, [&](auto& self) { CHECK_THROWS_AS(self.create_group(make, tact::parallel), std::runtime_error); });
  CHECK(engine.statistics().actors_alive == before);
  engine.wait_finished();
}

namespace {

struct set {
  long value;
};
struct get {
  using reply = long;
};
struct cellular : tact::protocol<set, tact::request<get>> {};

// f decides what becomes of a cell that is set.
template <class F>
tact::behavior<cellular> open_cell(long value, F f) {
  return {
      [=](tact::self<cellular>& self, const set& m) { f(self, m.value); },
      [=](auto& self, const tact::request<get>& m) { self.reply(m, value); },
  };
}

constexpr auto no_change = [](tact::self<cellular>&, long) {};

}  // namespace

TEST_CASE("become: the last one of a run wins", "[api]") {
  tact::engine engine;
  const auto a = engine.create(open_cell(0,
                                         [](tact::self<cellular>& self, long value) {
                                           self.become(open_cell(value, no_change));
                                           self.stop();
                                           self.become(open_cell(value + 1, no_change));
                                         }),
                               tact::parallel);
  engine.send(a, set{5});
  engine.wait_idle();
  CHECK(engine.ask(a, get{}) == 6);
}

TEST_CASE("become: unchanged withdraws a become and a stop, and what was sent stays", "[api]") {
  tact::engine engine;
  std::atomic<long> heard{0};
  const auto a = engine.create(open_cell(1,
                                         [&heard](tact::self<cellular>& self, long value) {
                                           self.send(self.beta([&heard](auto&, long m) { heard += m; }), value);
                                           self.become(open_cell(value, no_change));
                                           self.become(tact::unchanged);
                                           if (value == 2) return;
                                           self.stop();
                                           self.become(tact::unchanged);
                                         }),
                               tact::parallel);
  engine.send(a, set{2});
  engine.send(a, set{3});
  engine.wait_idle();
  CHECK(heard == 5);
  CHECK(engine.ask(a, get{}) == 1);
}

TEST_CASE("become: of a ref makes a forwarder, and requests are answered from there", "[api]") {
  tact::engine engine;
  const auto behind = engine.create(open_cell(7, no_change), tact::parallel);
  const auto a =
      engine.create(open_cell(0, [behind](tact::self<cellular>& self, long) { self.become(behind); }), tact::parallel);
  engine.send(a, set{0});
  engine.wait_idle();
  CHECK(engine.ask(a, get{}) == 7);
  CHECK(engine.statistics().dead_letters == 0);
}

TEST_CASE("send_all: each of a range gets a copy, of a handler that returns, and of none that throws", "[api]") {
  tact::engine_options options;
  options.on_failure = [](const tact::failure_report&) {};
  tact::engine engine(options);
  std::vector<tact::ref<set>> cells;
  for (long i = 0; i < 5; ++i) cells.emplace_back(engine.create(open_cell(i, no_change), tact::parallel));
  const auto all = engine.create(tact::behavior<set>{[&cells](auto& self, const set& m) {
                                   self.send_all(cells, m);
                                   if (m.value < 0) throw std::runtime_error("not so");
                                 }},
                                 tact::parallel);
  engine.send(all, set{-1});
  engine.wait_idle();
  CHECK(engine.statistics().messages_sent == 1);
  engine.send(all, set{9});
  engine.wait_idle();
  CHECK(engine.statistics().messages_sent == 2 + cells.size());
}

TEST_CASE("send_all: a thread outside sends each of a range a copy", "[api]") {
  tact::engine engine;
  std::vector<tact::ref<cellular>> cells;
  for (long i = 0; i < 5; ++i)
    cells.push_back(
        engine.create(open_cell(i, [](tact::self<cellular>& self, long v) { self.become(open_cell(v, no_change)); }),
                      tact::parallel));
  engine.send_all(cells, set{9});
  engine.wait_idle();
  CHECK(engine.ask_all(cells, get{}) == std::vector<long>(5, 9));
  engine.send_all(std::vector<tact::ref<cellular>>{}, set{1});
}

}  // namespace transaction_test
