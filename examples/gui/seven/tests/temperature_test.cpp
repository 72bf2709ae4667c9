// Temperature converter: what is converted, in which order, and what a person sees who types faster than that.
#include <catch2/catch.hpp>  // first

#include <memory>
#include <semaphore>
#include <string>

#include "../temperature.hpp"
#include "gui/person.hpp"

namespace temperature_test {

namespace {

using namespace seven::temperature;
using seven::temperature_window;

// Keeps a worker of an engine in a handler until it is let go. Goes before the engine.
class held_worker {
 public:
  explicit held_worker(tact::engine& e) {
    struct hold {};
    e.send(e.create(tact::behavior<hold>{[this](auto&, const hold&) {
      held_.release();
      let_go_.acquire();
    }}),
           hold{});
    held_.acquire();
  }
  void let_go() { let_go_.release(); }

 private:
  std::binary_semaphore held_{0};
  std::binary_semaphore let_go_{0};
};

}  // namespace

TEST_CASE("temperature: a number is converted from either scale to the other", "[gui]") {
  CHECK(in_other_scale(scale::celsius, "100") == "212");
  CHECK(in_other_scale(scale::celsius, " -17.5 ") == "0.5");
  CHECK(in_other_scale(scale::celsius, "-40") == "-40");
  CHECK(in_other_scale(scale::fahrenheit, "98.6") == "37");
  CHECK(in_other_scale(scale::fahrenheit, "1e2") == "37.77778");
  CHECK(in_other_scale(scale::fahrenheit, "32") == "0");
}

TEST_CASE("temperature: what is no number is not converted", "[gui]") {
  for (const std::string text : {"", " ", "-", "warm", "20 C", "1 2", "1,5", "0x10", "inf", "nan", "1e999", "1e308"}) {
    CAPTURE(text);
    CHECK_FALSE(in_other_scale(scale::celsius, text));
  }
}

TEST_CASE("temperature: each text is answered, as it was typed, in every order of a simulation", "[gui]") {
  const auto found = tact::explore(300, [](tact::simulation& sim) {
    tact::engine& engine = sim.engine();
    const auto answers = std::make_shared<std::string>();
    const auto shown = engine.create(tact::behavior<display>{[answers](auto&, const converted& m) {
      const char in = m.from == scale::celsius ? 'C' : 'F';
      *answers += std::to_string(m.edit) + in + m.other.value_or("-") + ";";
    }});
    const auto converts = engine.create(convert(shown));
    engine.send(converts, typed{1, scale::celsius, "1"});
    engine.send(converts, typed{2, scale::celsius, "10"});
    engine.send(converts, typed{3, scale::fahrenheit, "10F"});
    engine.send(converts, typed{4, scale::fahrenheit, "-40"});
    engine.wait_idle();
    sim.check(*answers == "1C33.8;2C50;3F-;4F-40;", *answers);
  });
  CHECK_FALSE(found.failed);
}

TEST_CASE("temperature: a person types into each field and reads the other", "[gui]") {
  tact::engine engine;
  tact::gui::fltk_loop loop(engine);
  temperature_window window(engine, loop);
  tact::gui_tests::person person;
  person.see(window);
  const auto shows = [&](const std::string& celsius, const std::string& fahrenheit) {
    return person.waits_until(
        [&] { return window.celsius.value() == celsius && window.fahrenheit.value() == fahrenheit; });
  };
  person.fill(window.celsius, "100");
  REQUIRE(shows("100", "212"));
  person.fill(window.fahrenheit, "98.6");
  REQUIRE(shows("37", "98.6"));
  person.take_picture(window, "seven-temperature");

  person.type("x");
  REQUIRE(person.waits_until([&] { return window.fahrenheit.color() == seven::bad_color; }));
  CHECK(shows("37", "98.6x"));
  CHECK(window.celsius.color() != seven::bad_color);
  person.fill(window.celsius, "0");
  REQUIRE(shows("0", "32"));
  CHECK(window.fahrenheit.color() != seven::bad_color);
}

TEST_CASE("temperature: an answer that comes late changes neither a newer answer nor the field that is typed in",
          "[gui]") {
  tact::engine engine({.workers = 1});
  tact::gui::fltk_loop loop(engine);
  temperature_window window(engine, loop);
  tact::gui_tests::person person;
  person.see(window);
  held_worker worker(engine);
  person.fill(window.celsius, "10");
  const bool first = person.waits_until([&] { return window.celsius.value() == std::string("10"); });
  person.fill(window.fahrenheit, "5x");
  const bool then = person.waits_until([&] { return window.fahrenheit.value() == std::string("5x"); });
  worker.let_go();
  REQUIRE(first);
  REQUIRE(then);
  REQUIRE(person.waits_until([&] { return window.fahrenheit.color() == seven::bad_color; }));
  CHECK(window.celsius.value() == std::string("10"));
  CHECK(window.fahrenheit.value() == std::string("5x"));
  person.key(tact::gui_tests::special::backspace);
  REQUIRE(person.waits_until([&] { return window.celsius.value() == std::string("-15"); }));
  CHECK(window.fahrenheit.value() == std::string("5"));
}

}  // namespace temperature_test
