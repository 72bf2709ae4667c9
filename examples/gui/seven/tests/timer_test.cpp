// Timer: the stopwatch in virtual time, with ticks that come late and in many orders, and the window as a person uses
// it.
#include <catch2/catch.hpp>  // first

#include <memory>
#include <string>
#include <vector>

#include "../timer.hpp"
#include "gui/person.hpp"

namespace timer_test {

namespace {

using namespace seven::timer;
using namespace std::chrono_literals;
using seven::timer_window;

// By the clock of the simulation, which the timers go by. It only tells whether a moment has passed.
moment now() {
  moment passed{};
  moment ahead = moment::max();
  while (ahead - passed > 1ns) {
    const moment between = passed + (ahead - passed) / 2;
    (tact::context().with_deadline(between).is_over() ? passed : ahead) = between;
  }
  return passed;
}

// A stopwatch in virtual time, and what it has shown.
class simulated_stopwatch {
 public:
  simulated_stopwatch(tact::engine& engine, clock::duration duration)
      : engine_(engine),
        watch_(engine.create(stopwatch_with(
            {engine.create(tact::behavior<display>{[r = shown](auto&, const reading& m) { r->push_back(m); }}),
             duration}))) {
    engine_.send(watch_, reset{now()});
  }
  void drag_to(clock::duration duration, moment at = now()) { engine_.send(watch_, set_duration{at, duration}); }
  void press_reset() { engine_.send(watch_, reset{now()}); }
  [[nodiscard]] clock::duration elapsed() const { return shown->back().elapsed; }
  [[nodiscard]] bool is_quiet() const { return engine_.statistics().timers_armed == 0; }

  std::shared_ptr<std::vector<reading>> shown = std::make_shared<std::vector<reading>>();

 private:
  tact::engine& engine_;
  tact::ref<stopwatch> watch_;
};

// Lets a program without workers handle one message after the other, and what is due in between.
void handle_all(tact::simulation& sim) {
  while (sim.run(), sim.engine().pump(1).handled > 0) continue;
}

}  // namespace

TEST_CASE("timer: elapsed is the time since the reset, and stands exactly at the duration", "[gui]") {
  tact::simulation sim(1);
  simulated_stopwatch watch(sim.engine(), 10s);
  sim.advance(4s);
  CHECK(watch.elapsed() == 4s);
  CHECK(watch.shown->size() == 101);  // the reset, and each tick
  sim.advance(5'999'999'999ns);
  CHECK(watch.elapsed() < 10s);
  sim.advance(1ns);
  CHECK(watch.elapsed() == 10s);
  CHECK(watch.is_quiet());
  const auto sent = sim.engine().statistics().messages_sent;
  sim.advance(1h);
  CHECK(sim.engine().statistics().messages_sent == sent);
}

TEST_CASE("timer: a shorter duration than what has elapsed stops it at once, a longer one starts it again", "[gui]") {
  tact::simulation sim(1);
  simulated_stopwatch watch(sim.engine(), 10s);
  sim.advance(4s + 7ms);
  watch.drag_to(2s);
  sim.run();
  CHECK(watch.elapsed() == 4s + 7ms);
  CHECK(watch.is_quiet());
  sim.advance(1min);
  watch.drag_to(5s);
  sim.advance(500ms);
  watch.drag_to(5s);
  sim.run();
  CHECK(watch.elapsed() == 4s + 507ms);
  sim.advance(1min);
  CHECK(watch.elapsed() == 5s);
  CHECK(watch.is_quiet());
}

TEST_CASE("timer: a reset begins anew, while it runs and when it has stopped", "[gui]") {
  tact::simulation sim(1);
  simulated_stopwatch watch(sim.engine(), 1s);
  sim.advance(700ms);
  watch.press_reset();
  sim.run();
  CHECK(watch.elapsed() == 0s);
  sim.advance(800ms);
  CHECK(watch.elapsed() == 800ms);
  sim.advance(1min);
  CHECK(watch.is_quiet());
  watch.press_reset();
  sim.run();
  CHECK(watch.elapsed() == 0s);
  CHECK_FALSE(watch.is_quiet());
  sim.advance(600ms);
  CHECK(watch.elapsed() == 600ms);
}

TEST_CASE("timer: a burst of messages of the slider neither delays it nor leaves a second tick", "[gui]") {
  tact::simulation sim(1);
  simulated_stopwatch watch(sim.engine(), 30s);
  for (int i = 0; i < 1'000; ++i) {
    watch.drag_to(20s + std::chrono::milliseconds(i % 7));
    sim.advance(1ms);
    sim.check(sim.engine().statistics().timers_armed == 1, "not one tick on its way");
  }
  watch.drag_to(10s);
  sim.run();
  CHECK(watch.elapsed() == 1s);
  const auto shown = watch.shown->size();
  sim.advance(4s);
  CHECK(watch.shown->size() - shown == 100);
  CHECK(watch.elapsed() == 5s);
  sim.advance(5s);
  CHECK(watch.elapsed() == 10s);
  CHECK(watch.is_quiet());
  CHECK(sim.failure().empty());
}

TEST_CASE("timer: ticks and slides that are handled late lose no time", "[gui]") {
  tact::simulation sim(1);
  tact::engine& engine = sim.engine({.workers = 0});
  simulated_stopwatch watch(engine, 10s);
  handle_all(sim);
  sim.advance(3s);
  handle_all(sim);
  CHECK(watch.elapsed() == 3s);
  sim.advance(2s);
  watch.drag_to(12s);
  sim.advance(1s);
  handle_all(sim);
  CHECK(watch.elapsed() == 6s);
  sim.advance(1h);
  watch.drag_to(15s);  // it has stood since 12 seconds, though no tick has said so
  handle_all(sim);
  CHECK(watch.elapsed() == 12s);
  sim.advance(1h);
  watch.press_reset();
  sim.advance(80ms);
  handle_all(sim);
  CHECK(watch.elapsed() == 80ms);
  sim.advance(1h);
  handle_all(sim);
  CHECK(watch.elapsed() == 15s);
  CHECK(watch.is_quiet());
}

TEST_CASE("timer: a slide from before the end that comes behind it wins no time", "[gui]") {
  tact::simulation sim(1);
  simulated_stopwatch watch(sim.engine(), 1s);
  sim.advance(1s);
  watch.drag_to(2s, now() - 5ms);
  sim.advance(100ms);
  watch.drag_to(2s);
  sim.run();
  CHECK(watch.elapsed() == 1s + 100ms);
}

TEST_CASE("timer: a tick that had left when it was cancelled is nothing", "[gui]") {
  tact::simulation sim(1);
  tact::engine& engine = sim.engine({.workers = 0});
  simulated_stopwatch watch(engine, 10s);
  handle_all(sim);
  watch.shown->clear();
  for (int i = 0; i < 100; ++i) {
    sim.advance(10ms);
    watch.drag_to(20s);
  }
  handle_all(sim);
  CHECK(watch.shown->size() == 100);
  CHECK(watch.elapsed() == 1s);
}

TEST_CASE("timer: what is shown in the end is the same in every order of a simulation", "[gui]") {
  const auto found = tact::explore(500, [](tact::simulation& sim) {
    simulated_stopwatch watch(sim.engine(), 120ms);
    const auto is = [&](clock::duration elapsed) { return watch.elapsed() == elapsed; };
    sim.advance(80ms);
    watch.drag_to(160ms);  // as the second tick is due
    sim.advance(40ms);
    watch.drag_to(130ms);
    watch.drag_to(100ms);
    watch.drag_to(240ms);
    sim.advance(50ms);
    watch.drag_to(245ms);
    sim.run();
    sim.check(is(170ms), "time was lost or won");
    sim.advance(1s);
    sim.check(is(245ms), "it has not run until its duration");
    sim.check(watch.is_quiet(), "it has not stopped");
    watch.press_reset();
    watch.drag_to(80ms);
    watch.press_reset();
    sim.advance(1s);
    sim.check(is(80ms) && watch.is_quiet(), "it has not begun anew");
    sim.check(watch.shown->size() <= 20, "a second tick was on its way");
  });
  CHECK_FALSE(found.failed);
}

TEST_CASE("timer: a person drags the slider, which stops it and lets it run on, and begins anew", "[gui]") {
  tact::engine engine;
  tact::gui::fltk_loop loop(engine);
  timer_window window(engine, loop);
  tact::gui_tests::person person;
  person.see(window);
  const int middle = window.duration.h() / 2;
  const auto drags_to = [&](int right) { person.move(window.duration, right, middle); };
  const auto shows = [&](float share) { return person.waits_until([&] { return window.gauge.value() >= share; }); };
  const auto stands = [&] {
    return shows(1) && person.waits_until([&] { return engine.statistics().timers_armed == 0; });
  };
  REQUIRE(shows(0.02F));  // 0.3 of 15 s

  drags_to(window.duration.w() / 2);
  person.hands().press();
  drags_to(2);
  REQUIRE(stands());
  person.rest();
  const auto sent = engine.statistics().messages_sent;
  person.rest();
  CHECK(engine.statistics().messages_sent == sent);
  CHECK(window.text.label() != std::string("0.1 s of 0.1 s"));

  drags_to(window.duration.w() - 2);
  REQUIRE(person.waits_until([&] { return window.gauge.value() < 1; }));
  const float share = window.gauge.value();
  REQUIRE(shows(share * 1.1F));
  drags_to(2);
  REQUIRE(stands());
  person.hands().release();

  person.click(window.reset);
  REQUIRE(person.waits_until([&] { return window.text.label() == std::string("0.1 s of 0.1 s"); }));
  REQUIRE(stands());
  const std::string full = "0.1 s of 0.1 s";
  drags_to(5);
  person.hands().press();
  drags_to(22);
  REQUIRE(person.waits_until([&] { return window.text.label() != full; }));
  person.hands().release();
  REQUIRE(shows(0.6F));
  person.take_picture(window, "seven-timer");
  REQUIRE(stands());
}

TEST_CASE("timer: it ends when its window is closed while it runs", "[gui]") {
  tact::engine engine;
  tact::gui::fltk_loop loop(engine);
  {
    timer_window window(engine, loop);
    window.show();
    REQUIRE(tact::gui_tests::person::waits_until([&] { return window.gauge.value() > 0; }));
  }
  CHECK(tact::gui_tests::person::waits_until([&] { return engine.statistics().actors_alive == 0; }));
  CHECK(engine.statistics().timers_armed == 0);
}

}  // namespace timer_test
