// Asking, waiting and ending from threads outside.
#include <atomic>
#include <chrono>
#include <string>
#include <vector>

#include "messages.hpp"
#include "support/catch.hpp"

namespace engine_test {

using namespace std::chrono_literals;
using bank::balance;

namespace {

// Keeps every request, and answers none before it is told to stop.
tact::behavior<tact::request<balance>> silent() {
  return {[](auto& self, const tact::request<balance>& m) { self.defer(m); }};
}

}  // namespace

TEST_CASE("engine: an ask with a limit gives up when it passes", "[api]") {
  tact::engine engine;
  const auto s = engine.create(silent(), tact::parallel);
  CHECK_FALSE(engine.ask(s, balance{}, 1ms).has_value());
  CHECK_FALSE(engine.ask(s, balance{}, 0s).has_value());
}

TEST_CASE("engine: an ask without a limit gives up when engine_options::ask_timeout has passed", "[api]") {
  tact::engine_options options;
  options.ask_timeout = 1ms;
  tact::engine engine(options);
  const auto s = engine.create(silent());
  const auto is_late = [](auto ask) {
    try {
      ask();
      return false;
    } catch (const tact::ask_error& e) {
      return e.reason() == tact::failure_reason::timed_out;
    }
  };
  CHECK(is_late([&] { static_cast<void>(engine.ask(s, balance{})); }));
  CHECK(is_late([&] { static_cast<void>(engine.ask_all(std::vector{s, s}, balance{})); }));
  const auto asks = engine.create(tact::behavior<tact::request<balance>>{
      [&](tact::self<tact::request<balance>>& self, const tact::request<balance>& m) {
        const bool late = is_late([&] { static_cast<void>(self.ask(s, balance{})); });
        self.reply(m, late ? 1 : 0);
      }});
  CHECK(engine.ask(asks, balance{}, 1h) == 1);
  // A limit of its own holds instead.
  CHECK_FALSE(engine.ask(s, balance{}, 2ms).has_value());
}

TEST_CASE("engine: an ask of void says whether it was answered", "[api]") {
  tact::engine engine;
  const auto t = engine.create(
      tact::behavior<tact::request<bank::transfer>>{[](auto& self, const tact::request<bank::transfer>& m) {
        if (m.body.cents > 0) {
          self.reply(m);
        } else {
          self.defer(m);
        }
      }},
      tact::parallel);
  engine.ask(t, bank::transfer{1});
  CHECK(engine.ask(t, bank::transfer{1}, 1h));
  CHECK_FALSE(engine.ask(t, bank::transfer{0}, 1ms));
}

TEST_CASE("engine: an ask throws what the handler threw", "[api]") {
  tact::engine_options quiet;
  quiet.on_failure = [](const tact::failure_report&) {};
  tact::engine engine(quiet);
  const auto t = engine.create(tact::behavior<tact::request<balance>>{[](auto&, const tact::request<balance>&) {
                                 throw std::runtime_error("out of coins");
                               }},
                               tact::parallel);
  try {
    engine.ask(t, balance{});
    FAIL("answered");
  } catch (const tact::ask_error& e) {
    CHECK(e.reason() == tact::failure_reason::handler_threw);
    CHECK(std::string(e.what()).find("out of coins") != std::string::npos);
  }
}

TEST_CASE("engine: calls that wait are refused inside a handler, with the right form", "[api]") {
  tact::engine engine;
  const auto s = engine.create(silent(), tact::parallel);
  std::atomic<int> refused{0};
  std::string advice;
  engine.create(tact::behavior<long>{[&](auto&, long) {
                  const auto refuses = [&](auto call) {
                    try {
                      call();
                    } catch (const tact::usage_error& e) {
                      ++refused;
                      advice += e.what();
                    }
                  };
                  refuses([&] { engine.wait_idle(); });
                  refuses([&] { engine.wait_finished(); });
                  refuses([&] { engine.drain(); });
                  refuses([&] { engine.cancel(); });
                  refuses([&] { engine.ask(s, balance{}); });
                }},
                tact::parallel) |
      1L;
  engine.wait_idle();
  CHECK(refused == 5);
  CHECK(advice.find("self.ask") != std::string::npos);
}

TEST_CASE("engine: waits with a limit come back", "[api]") {
  tact::engine engine;
  const auto s = engine.create(silent(), tact::parallel);
  CHECK(engine.wait_idle(1h));
  CHECK_FALSE(engine.wait_finished(1ms));
  CHECK(engine.drain(1h));
  CHECK_THROWS_AS(engine.ask(s, balance{}), tact::ask_error);
}

TEST_CASE("engine: a ref outlives its engine and harms nobody", "[api]") {
  tact::ref<tact::request<balance>> orphan;
  {
    tact::engine engine;
    orphan = engine.create(silent(), tact::parallel);
  }
  orphan | tact::request<balance>{};
  tact::engine other;
  try {
    other.ask(orphan, balance{});
    FAIL("answered");
  } catch (const tact::ask_error&) {
    CHECK(other.statistics().dead_letters == 1);
  }
}

TEST_CASE("engine: reports dead letters by target, message and reason", "[api]") {
  tact::engine engine;
  tact::ref<bank::deposit> nobody;
  engine.send(nobody, bank::deposit{1});
  engine.wait_idle();
  const auto letters = engine.dead_letters();
  REQUIRE(letters.size() == 1);
  CHECK(letters[0].message == "deposit");
}

TEST_CASE("engine: nobody takes no message of a protocol, the first or another", "[api]") {
  struct first {};
  struct last {};
  struct both : tact::protocol<first, last> {};
  struct begin {};
  tact::engine engine;
  const auto sender = engine.create(tact::behavior<begin>{[](auto& self, const begin&) {
                                      self.send(tact::ref<both>{}, first{});
                                      self.send(tact::ref<both>{}, last{});
                                      self.send(tact::ref<both>{}, last{}, tact::spread);
                                    }},
                                    tact::parallel);
  engine.send(sender, begin{});
  engine.send(tact::ref<both>{}, last{});
  engine.wait_idle();
  CHECK(engine.statistics().dead_letters == 4);
}

}  // namespace engine_test
