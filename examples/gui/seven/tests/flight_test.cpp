// Flight booker: dates, what can be booked, and the window as a person uses it.
#include <catch2/catch.hpp>  // first

#include <memory>
#include <string>

#include "../flight.hpp"
#include "gui/person.hpp"

namespace flight_test {

namespace {

using namespace seven::flight;
using seven::flight_window;

}  // namespace

TEST_CASE("flight: a date is dd.mm.yyyy of a day that there is", "[gui]") {
  using namespace std::chrono;
  CHECK(read_date("27.03.2026") == 2026y / March / 27);
  CHECK(read_date("29.02.2024") == 2024y / February / 29);
  for (const std::string text : {"", "30.02.2024", "29.02.2023", "31.04.2026", "00.01.2026", "01.13.2026", "1.1.2026",
                                 "01.01.26", "01-01-2026", "01.01.2026 ", "01.01.20266", "aa.01.2026", "-1.01.2026"}) {
    CAPTURE(text);
    CHECK_FALSE(read_date(text));
  }
}

TEST_CASE("flight: what is judged is the departure, and the return of a return flight", "[gui]") {
  CHECK(judge({false, "01.02.2026", "nonsense"}).bookable);
  CHECK_FALSE(judge({false, "01.02.2026", "nonsense"}).bad_return);
  CHECK(judge({false, "nonsense", "01.02.2026"}).bad_departure);
  CHECK(judge({true, "01.02.2026", "01.02.2026"}).bookable);
  CHECK(judge({true, "01.02.2026", "nonsense"}).bad_return);
  const verdict backwards = judge({true, "01.02.2026", "31.01.2026"});
  CHECK_FALSE(backwards.bookable);
  CHECK_FALSE(backwards.bad_return);
  CHECK(backwards.notice == "The return is before the departure.");
  CHECK(judge({true, "32.01.2026", "nonsense"}).notice == "The departure is no day such as 27.03.2026.");
}

TEST_CASE("flight: what is booked is what was filled in before, in every order of a simulation", "[gui]") {
  const auto found = tact::explore(300, [](tact::simulation& sim) {
    tact::engine& engine = sim.engine();
    const auto notices = std::make_shared<std::string>();
    const auto shown =
        engine.create(tact::behavior<display>{[notices](auto&, const verdict& m) { *notices += m.notice; }});
    const auto desk = engine.create(desk_with({}, shown));
    for (const std::string date : {"01.01.2026", "02.01.2026"}) {
      engine.send(desk, form{false, date, ""});
      engine.send(desk, book{});
    }
    engine.send(desk, form{true, "03.01.2026", "02.01.2026"});
    engine.send(desk, book{});
    engine.wait_idle();
    sim.check(*notices ==
                  "Booked: a one-way flight on 01.01.2026.Booked: a one-way flight on 02.01.2026."
                  "The return is before the departure.",
              *notices);
  });
  CHECK_FALSE(found.failed);
}

TEST_CASE("flight: a person books a one-way flight and a return flight", "[gui]") {
  tact::engine engine;
  tact::gui::fltk_loop loop(engine);
  flight_window window(engine, loop);
  tact::gui_tests::person person;
  person.see(window);
  const auto notices = [&](const std::string& text) {
    return person.waits_until([&] { return window.notice.label() == text; });
  };
  const auto marks = [&](const Fl_Input& field, bool bad) {
    return person.waits_until([&] { return (field.color() == seven::bad_color) == bad; });
  };
  REQUIRE(person.waits_until([&] { return window.book.active() && !window.return_date.active(); }));
  person.click(window.book);
  REQUIRE(notices("Booked: a one-way flight on 27.03.2026."));

  person.click(window.way);
  person.key(tact::gui_tests::special::down);
  person.key(tact::gui_tests::special::enter);
  REQUIRE(person.waits_until([&] { return window.return_date.active() != 0; }));
  CHECK(notices(""));
  person.fill(window.return_date, "30.02.2026");
  REQUIRE(marks(window.return_date, true));
  CHECK_FALSE(window.book.active());
  person.take_picture(window, "seven-flight");
  person.fill(window.return_date, "26.03.2026");
  REQUIRE(notices("The return is before the departure."));
  CHECK_FALSE(window.book.active());
  CHECK(marks(window.return_date, false));
  person.fill(window.departure_date, "25.03.2026");
  REQUIRE(person.waits_until([&] { return window.book.active() != 0; }));
  person.click(window.book);
  REQUIRE(notices("Booked: a flight on 25.03.2026, back on 26.03.2026."));
}

}  // namespace flight_test
