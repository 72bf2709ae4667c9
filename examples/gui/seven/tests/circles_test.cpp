// Circle drawer: the window as a person uses it.
#include <catch2/catch.hpp>  // first: FL/fl_draw.H brings the macros of Xlib

#include <cstdint>
#include <string>
#include <vector>

#include "../circles.hpp"
#include "gui/person.hpp"

namespace {

using namespace seven::circles;

// What a button changes.
std::string text_of(const picture& p) {
  std::string text = std::to_string(p.can_undo) + std::to_string(p.can_redo);
  for (const circle& c : p.circles) text += ' ' + std::to_string(c.diameter);
  return text;
}

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
  // The button stays down.
  void slide_to(int right) {
    person.move(window.dialog.slider, 80, 12);
    person.hands().press();
    for (int at = 80; at != right; at += at < right ? 1 : -1) person.move(window.dialog.slider, at, 12);
  }
  void slide(std::size_t number, int right) {
    const int before = diameter(number);
    slide_to(right);
    REQUIRE(person.waits_until([&] {
      return diameter(number) != before && diameter(number) == static_cast<int>(window.dialog.slider.value());
    }));
    person.hands().release();
    person.rest();
  }
  void close_dialog() {
    person.click(window.dialog.close);
    REQUIRE(person.waits_until([&] { return !window.dialog.shown(); }));
  }
  void press(const Fl_Button& b) {
    const auto before = text_of(window.area.shown());
    person.click(b);
    REQUIRE(person.waits_until([&] { return text_of(window.area.shown()) != before; }));
  }
  [[nodiscard]] std::uint32_t color(int x, int y) {
    person.rest();
    return person.hands().color(window.area.x() + window.x_root() + x, window.area.y() + window.y_root() + y);
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
  CHECK(s.color(290, 140) == grey);
  CHECK(s.color(260, 140) == white);
  s.person.move(s.window.area, 262, 140);
  CHECK(s.color(262, 140) == grey);
  CHECK(s.color(290, 140) == white);
  s.person.move(s.window.area, 300, 300);
  CHECK(s.color(262, 140) == white);
  s.person.click(s.window.area, 125, 105);  // not an empty place
  CHECK_FALSE(s.window.redo.active());

  s.open_dialog(1);
  s.slide_to(120);
  REQUIRE(s.person.waits_until([&] { return s.diameter(1) > 40; }));
  const int on_the_way = s.diameter(1);
  s.slide_to(200);
  REQUIRE(s.person.waits_until([&] { return s.diameter(1) > on_the_way; }));
  s.person.hands().release();
  s.person.take_picture(s.window, "seven-circles");
  const auto adjusted = s.window.dialog.slider.value();
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
  s.person.rest();  // the last messages come
  CHECK(Fl::first_window() == nullptr);
}

TEST_CASE("circles: actors of the window's thread go on while the menu is open", "[gui]") {
  studio s;
  s.place(120, 100);
  struct knock {};
  struct door : tact::protocol<knock> {};
  int knocks = 0;
  const auto at_the_door =
      s.engine.create(tact::behavior<door>{[&](auto&, const knock&) { ++knocks; }}, tact::on(s.loop));
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
  const auto drawn_on_way = [&](int from, int to) {
    person.move(area, from, 100);
    person.rest();
    const int before = area.drawn;
    for (int at = from; at != to; ++at) person.move(area, at, 100);
    person.rest();
    return area.drawn - before;
  };
  CHECK(drawn_on_way(75, 125) == 0);
  CHECK(area.hovered() == 0);
  CHECK(drawn_on_way(200, 290) == 0);
  CHECK_FALSE(area.hovered());
  const int before = area.drawn;
  person.move(area, 160, 100);
  REQUIRE(person.waits_until([&] { return area.drawn == before + 1; }));
  CHECK(area.hovered() == 1);
}
