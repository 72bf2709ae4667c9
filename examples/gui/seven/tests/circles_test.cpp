// Circle drawer, as a person uses it.
#include <catch2/catch.hpp>  // first: FL/fl_draw.H brings the macros of Xlib

#include <cstddef>
#include <cstdint>
#include <vector>

#include "../circles.hpp"
#include "gui/person.hpp"

namespace circles_test {

namespace {

using namespace seven::circles;

// The program, and a person in front of it.
struct studio {
  tact::engine engine;
  tact::gui::fltk_loop loop{engine};
  seven::circles_window window{engine, loop};
  tact::gui_tests::person person;

  studio() {
    window.position(60, 40);
    person.see(window);
  }
  [[nodiscard]] const std::vector<circle>& circles() const { return window.area.shown().circles; }
  [[nodiscard]] int diameter(std::size_t number) const { return circles()[number].diameter; }
  void place(int x, int y) {
    const auto before = circles().size();
    person.click(window.area, x, y);
    REQUIRE(person.waits_until([&] { return circles().size() == before + 1; }));
  }
  void open_dialog(std::size_t number) {
    const auto [x, y] = circles()[number].center;
    person.acts_when([] { return Fl::grab() != nullptr; }, [&] { person.click(*Fl::grab()); });
    person.click(window.area, x, y, FL_RIGHT_MOUSE);
    REQUIRE(person.waits_until([&] { return window.dialog.shown() && window.dialog.number == number; }));
    person.rest();
  }
  // The circle follows while the button is down.
  void slide(std::size_t number, int right) {
    const auto& slider = window.dialog.slider;
    const int before = diameter(number);
    person.move(slider, 80, 12);
    person.hands().press();
    for (int at = 80; at != right; at += at < right ? 1 : -1) person.move(slider, at, 12);
    REQUIRE(person.waits_until(
        [&] { return diameter(number) != before && diameter(number) == static_cast<int>(slider.value()); }));
    person.hands().release();
    person.rest();
  }
  void close_dialog() {
    person.click(window.dialog.close);
    REQUIRE(person.waits_until([&] { return !window.dialog.shown(); }));
  }
  void press(const Fl_Button& b) {
    const picture before = window.area.shown();
    person.click(b);
    REQUIRE(person.waits_until([&] { return window.area.shown() != before; }));
  }
  [[nodiscard]] bool shows(std::uint32_t color, int x, int y) {
    const int left = window.x_root() + window.area.x(), top = window.y_root() + window.area.y();
    return person.waits_until([&] { return person.hands().color(left + x, top + y) == color; });
  }
};

constexpr std::uint32_t white = 0xFFFFFF;
constexpr std::uint32_t grey = 0xC0C0C0;

// An area that counts how often it is drawn.
class counted_canvas : public seven::canvas {
 public:
  using canvas::canvas;
  int drawn = 0;

 protected:
  void draw() override {
    ++drawn;
    canvas::draw();
  }
};

}  // namespace

TEST_CASE("circles: a person places circles, adjusts one, undoes and redoes", "[gui]") {
  studio s;
  CHECK_FALSE(s.window.undo.active());
  s.place(120, 100);
  s.place(260, 140);
  s.place(290, 140);
  CHECK(s.shows(grey, 290, 140));
  CHECK(s.shows(white, 260, 140));
  s.person.move(s.window.area, 262, 140);
  CHECK(s.shows(grey, 262, 140));
  CHECK(s.shows(white, 290, 140));
  s.person.move(s.window.area, 300, 300);
  CHECK(s.shows(white, 262, 140));
  s.person.click(s.window.area, 125, 105);  // not an empty place
  CHECK_FALSE(s.window.redo.active());

  s.open_dialog(1);
  s.slide(1, 250);
  s.slide(1, 200);
  s.person.take_picture(s.window, "seven-circles");
  const int adjusted = s.diameter(1);
  s.close_dialog();
  CHECK(s.circles().size() == 3);
  CHECK(s.diameter(1) == adjusted);

  s.press(s.window.undo);
  CHECK(s.diameter(1) == 40);
  s.press(s.window.undo);
  CHECK(s.circles().size() == 2);
  s.press(s.window.redo);
  s.press(s.window.redo);
  CHECK(s.diameter(1) == adjusted);
  CHECK_FALSE(s.window.redo.active());
  for (int i = 0; i < 4; ++i) s.press(s.window.undo);
  CHECK_FALSE(s.window.undo.active());
  CHECK(s.window.redo.active());
  s.place(50, 50);
  CHECK_FALSE(s.window.redo.active());
  CHECK(s.window.undo.active());
}

TEST_CASE("circles: the dialog blocks nothing, and the window manager may close it", "[gui]") {
  studio s;
  s.place(120, 100);
  s.open_dialog(0);
  s.slide(0, 150);
  s.place(400, 100);
  CHECK(s.window.dialog.shown());
  s.slide(0, 250);
  const int adjusted = s.diameter(0);
  s.person.close(s.window.dialog);
  REQUIRE(s.person.waits_until([&] { return !s.window.dialog.shown(); }));
  CHECK(s.diameter(0) == adjusted);
  s.press(s.window.undo);
  CHECK(s.diameter(0) == 40);
  s.press(s.window.undo);
  CHECK(s.circles().size() == 1);
}

TEST_CASE("circles: a dialog for another circle takes the place of the first, which has made its step", "[gui]") {
  studio s;
  s.place(120, 100);
  s.place(400, 100);
  s.open_dialog(0);
  s.slide(0, 200);
  s.open_dialog(1);
  CHECK(s.window.dialog.slider.value() == 40);
  s.slide(1, 250);
  s.close_dialog();
  s.press(s.window.undo);
  CHECK(s.diameter(0) != 40);
  CHECK(s.diameter(1) == 40);
  s.press(s.window.undo);
  CHECK(s.diameter(0) == 40);
}

TEST_CASE("circles: an undo closes the dialog, also of a circle that is undone", "[gui]") {
  studio s;
  s.place(120, 100);
  s.open_dialog(0);
  s.slide(0, 200);
  s.press(s.window.undo);
  CHECK_FALSE(s.window.dialog.shown());
  CHECK(s.diameter(0) == 40);
  s.open_dialog(0);
  s.press(s.window.undo);
  CHECK(s.circles().empty());
  CHECK_FALSE(s.window.dialog.shown());
}

TEST_CASE("circles: with the main window its dialog goes, and the program ends", "[gui]") {
  studio s;
  s.place(120, 100);
  s.open_dialog(0);
  s.person.close(s.window);
  REQUIRE(s.person.waits_until([&] { return Fl::first_window() == nullptr; }));
  s.window.show(picture{{{{120, 100}, 40}}, true, false, 0});  // was on its way
  CHECK_FALSE(s.window.dialog.shown());
}

TEST_CASE("circles: actors of the window's thread go on while the menu is open", "[gui]") {
  studio s;
  s.place(120, 100);
  struct knock {};
  struct door : tact::protocol<knock> {};
  int knocks = 0;
  const auto at_the_door =
      s.engine.create(tact::behavior<door>{[&](auto&, const knock&) { ++knocks; }}, tact::on_loop(s.loop));
  const auto is_open = [] { return Fl::grab() != nullptr; };
  s.person.acts_when(is_open, [=] { at_the_door | knock{}; });
  s.person.acts_when([&] { return is_open() && knocks == 1; }, [&] { s.person.key(tact::gui_tests::special::escape); });
  s.person.click(s.window.area, 120, 100, FL_RIGHT_MOUSE);
  REQUIRE(s.person.waits_until([&] { return knocks == 1 && !is_open(); }));
  s.person.rest();
  CHECK_FALSE(s.window.dialog.shown());
  CHECK(s.window.shown());
}

TEST_CASE("circles: the drawing is drawn again only when the pointer comes to another circle", "[gui]") {
  Fl_Double_Window window(60, 40, 300, 200);
  Fl_Menu_Button menu(0, 0, 0, 0);
  counted_canvas area(0, 0, 300, 200, menu);
  window.end();
  area.show({{{{100, 100}, 60}, {{160, 100}, 60}}, true, false, {}});
  tact::gui_tests::person person;
  person.see(window);
  const auto is_at = [&](int x) {
    return person.waits_until([&] { return area.pointer() == point{x, 100} && area.damage() == 0; });
  };
  const auto drawn_on_way = [&](int from, int to) {
    person.move(area, from, 100);
    REQUIRE(is_at(from));
    const int before = area.drawn;
    for (int at = from; at <= to; ++at) person.move(area, at, 100);
    REQUIRE(is_at(to));
    return area.drawn - before;
  };
  CHECK(drawn_on_way(75, 125) == 0);
  CHECK(area.hovered() == 0);
  CHECK(drawn_on_way(135, 185) == 0);
  CHECK(area.hovered() == 1);
  CHECK(drawn_on_way(195, 290) == 0);
  CHECK_FALSE(area.hovered());
  CHECK(drawn_on_way(75, 185) == 1);
}

}  // namespace circles_test
