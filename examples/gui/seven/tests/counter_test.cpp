// Counter, as a person uses it.
#include "../counter.hpp"

#include <catch2/catch.hpp>

#include <string>

#include "gui/person.hpp"

namespace counter_test {

TEST_CASE("counter: each press is counted and shown", "[gui]") {
  tact::engine engine;
  tact::gui::fltk_loop loop(engine);
  seven::counter_window window(engine, loop);
  tact::gui_tests::person person;
  person.see(window);
  CHECK(window.field.value() == std::string("0"));
  for (int i = 1; i <= 5; ++i) {
    person.click(window.button);
    REQUIRE(person.waits_until([&] { return window.field.value() == std::to_string(i); }));
  }
  person.take_picture(window, "seven-counter");
}

}  // namespace counter_test
