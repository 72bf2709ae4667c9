// Ends of an engine that once hung, crashed or lied.
#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <thread>

#include "support/catch.hpp"
#include "support/engine_fixture.hpp"
#include "tact/tact.hpp"

namespace engine_end_test {

namespace {

using namespace tact::support;

struct note {};
struct query {
  using reply = long;
};
struct desk : tact::protocol<note, tact::request<query>> {};

tact::behavior<desk> open_desk() {
  return {
      [](auto&, const note&) {},
      [](auto& self, const tact::request<query>& m) { self.reply(m, 7); },
  };
}

// Calls the engine when it is destroyed.
struct nosy {
  explicit nosy(tact::engine& e) : engine(&e) {}
  ~nosy() { static_cast<void>(engine->statistics().actors_alive); }
  tact::engine* engine;
};

}  // namespace

TEST_CASE("clean end: threads that go on sending do not keep an engine from ending", "[law11]") {
  tact::engine engine(quiet_options(2));
  const auto d = engine.create(open_desk(), tact::parallel);
  std::atomic<bool> ended{false};
  bool in_time = false;
  on_threads(5, [&](unsigned thread) {
    if (thread != 0) {
      while (!ended) engine.send(d, note{});
      return;
    }
    in_time = engine.cancel(generous);
    ended = true;
  });
  CHECK(in_time);
  require_accounted(engine);
}

TEST_CASE("clean end: who waits for the actors to end is told when the engine ends them", "[law11]") {
  tact::engine engine(quiet_options(2));
  static_cast<void>(engine.create(open_desk(), tact::parallel));
  static_cast<void>(engine.create(open_desk()));
  bool finished = false;
  std::thread waiter([&] { finished = engine.wait_finished(generous); });
  CHECK(engine.cancel(generous));
  waiter.join();
  CHECK(finished);
  CHECK(engine.wait_finished(generous));
  CHECK(engine.statistics().actors_alive == 0);
}

TEST_CASE("failure: an engine that has ended answers no ask, and says so at once", "[law8]") {
  tact::engine alive(quiet_options(2));
  tact::engine ended(quiet_options(2));
  const auto d = alive.create(open_desk(), tact::parallel);
  REQUIRE(ended.cancel(generous));
  for (int i = 0; i < 100; ++i) {
    try {
      static_cast<void>(ended.ask(d, query{}, generous));
      FAIL("no answer can come");
    } catch (const tact::ask_error& e) {
      CHECK(e.reason() == tact::failure_reason::engine_ended);
    }
  }
  require_idle(alive);
}

TEST_CASE("failure: a sink for dead letters may send what is a dead letter again", "[law8]") {
  tact::engine* self = nullptr;
  int shown = 0;
  auto options = quiet_options(1);
  options.on_dead_letter = [&](const tact::dead_letter&) {
    ++shown;
    self->send(tact::ref<note>{}, note{});
  };
  tact::engine engine(options);
  self = &engine;
  engine.send(tact::ref<note>{}, note{});
  CHECK(shown == 1);
  CHECK(engine.statistics().dead_letters == 2);
}

TEST_CASE("clean end: what an actor held may call the engine when it is destroyed", "[law11]") {
  tact::engine engine(quiet_options(2));
  const auto held = std::make_shared<nosy>(engine);
  static_cast<void>(engine.create(tact::behavior<note>{[held](auto&, const note&) {}}, tact::parallel));
  CHECK(engine.cancel(generous));
}

TEST_CASE("clean end: an end deadline without end, and one that is over at once", "[law11]") {
  for (const auto limit : {std::chrono::milliseconds::max(), std::chrono::milliseconds(0)}) {
    auto options = quiet_options(2);
    options.shutdown_timeout = limit;
    tact::engine engine(options);
    engine.send(engine.create(open_desk(), tact::parallel), note{});
    require_idle(engine);
  }
}

TEST_CASE("engine end: behind it a message is refused for one reason, whether the engine is there still or not",
          "[law4][law11]") {
  tact::engine keeps(quiet_options(1));
  auto ends = std::make_unique<tact::engine>(quiet_options(1));
  const auto d = ends->create(open_desk());
  const auto check_refused = [&](tact::engine& by) {
    CHECK(by.try_send(d, note{}) == tact::send_result::engine_ended);
    try {
      static_cast<void>(by.ask(d, query{}));
      FAIL("an actor of an engine that has ended has answered");
    } catch (const tact::ask_error& e) {
      CHECK(e.reason() == tact::failure_reason::engine_ended);
    }
  };
  ends->drain();
  check_refused(keeps);
  check_refused(*ends);
  ends.reset();
  check_refused(keeps);
  CHECK(keeps.try_send(tact::ref<desk>{}, note{}) == tact::send_result::target_ended);
}

}  // namespace engine_end_test
