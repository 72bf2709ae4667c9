// The windows of the router, as a person uses them.
#include <catch2/catch.hpp>

#include <FL/Fl_Input.H>

#include <filesystem>
#include <fstream>
#include <future>
#include <iterator>
#include <string>
#include <thread>

#include "gui/person.hpp"
#include "hand.hpp"
#include "program.hpp"

namespace window_test {

namespace {

using namespace router;
using tact::gui_tests::special;

// The program with its windows on the screen.
class scene {
 public:
  explicit scene(program_options options = {}) : program(engine_, loop_, options) {
    program.window.position(10, 10);
    program.watched.position(10, 480);
    tact::gui_tests::person::see(program.window);
  }
  [[nodiscard]] const router::page& page() const { return program.window.page(); }
  [[nodiscard]] std::size_t shapes() const { return page().picture->shapes.size(); }
  void click_on(const std::string& view) {
    const layout places = layout_of(program.window.w(), program.window.h());
    const rectangle& at = places[index_of(places, view)].area;
    person.click(program.window, at.x + at.w / 2, at.y + at.h / 2);
  }
  void drag(int from_x, int from_y, int to_x, int to_y) { person.drag(program.window, from_x, from_y, to_x, to_y); }

 private:
  tact::engine engine_;
  tact::gui::fltk_loop loop_{engine_};

 public:
  router::program program;
  tact::gui_tests::person person;
};

std::string text_in(const std::filesystem::path& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

// For a hand in a thread of its own: FLTK has seen each of its moves.
void move_slowly(tact::gui_tests::person& p, int x, int y) {
  p.hands().move(x, y);
  for (int i = 0; i < 2; ++i) {
    std::promise<void> seen;
    Fl::awake([](void* to) { static_cast<std::promise<void>*>(to)->set_value(); }, &seen);
    seen.get_future().wait();
  }
}

struct folder {
  folder() { std::filesystem::create_directories(path); }
  ~folder() { std::filesystem::remove_all(path); }
  folder(const folder&) = delete;
  folder& operator=(const folder&) = delete;
  const std::filesystem::path path = std::filesystem::temp_directory_path() / "tact-router-window";
};

}  // namespace

TEST_CASE("router window: a person draws, undoes by a chord of keys, and types a caption", "[gui]") {
  scene s;
  auto& person = s.person;
  person.see(s.program.watched);
  s.drag(100, 100, 200, 180);
  REQUIRE(person.waits_until([&] { return s.shapes() == 1; }));
  s.click_on("box");
  REQUIRE(person.waits_until([&] { return s.page().tool == tool::box; }));
  s.drag(250, 100, 350, 180);
  REQUIRE(person.waits_until([&] { return s.shapes() == 2; }));
  person.type("o");
  s.drag(400, 100, 560, 300);
  REQUIRE(person.waits_until([&] { return s.shapes() == 3; }));
  person.hands().chord('z');
  REQUIRE(person.waits_until([&] { return s.shapes() == 2; }));
  person.hands().chord('y');
  REQUIRE(person.waits_until([&] { return s.shapes() == 3; }));
  s.click_on("caption");
  person.type("Three Shapes");
  person.key(special::backspace);
  REQUIRE(person.waits_until([&] { return s.page().picture->caption == "Three Shape"; }));
  CHECK(s.page().tool == tool::oval);
  CHECK(person.waits_until([&] { return s.program.watched.shown().messages[node_of("caption gestures")] >= 13; }));
  s.program.window.show();
  person.take_picture(s.program.window, "router");
  s.program.watched.show();
  person.take_picture(s.program.watched, "router-graph");
  person.hands().chord('k');
  person.hands().chord('d');
  CHECK(person.waits_until([&] { return s.shapes() == 0; }));
}

TEST_CASE("router window: a long press removes, a double click colours, the wheel makes lines wider", "[gui]") {
  scene s;
  auto& person = s.person;
  s.drag(100, 100, 200, 180);
  REQUIRE(person.waits_until([&] { return s.shapes() == 1; }));
  person.click(s.program.window, 150, 140);
  person.click(s.program.window, 150, 140);
  REQUIRE(person.waits_until([&] { return s.page().picture->shapes[0]->colour == 1; }));
  person.click(s.program.window, 150, 140, 4);
  REQUIRE(person.waits_until([&] { return s.page().width > 2; }));
  person.move(s.program.window, 150, 140);
  person.hands().press();
  REQUIRE(person.waits_until([&] { return s.shapes() == 0; }));
  person.hands().release();
}

TEST_CASE("router window: text that is dragged from another window is placed where it is dropped", "[gui]") {
  scene s;
  Fl_Window other(700, 10, 200, 50, "other");
  Fl_Input field(10, 10, 180, 30);
  other.end();
  auto& person = s.person;
  person.see(other);
  field.value("dropped");
  person.click(field);
  person.hands().chord('a');
  person.rest();
  const int from_x = other.x_root() + field.x() + 20, from_y = other.y_root() + field.y() + 15;
  const int to_x = s.program.window.x_root() + 300, to_y = s.program.window.y_root() + 200;
  // FLTK goes on inside the drag until the button is released, so the hand is a thread of its own.
  std::jthread hand([&] {
    person.hands().move(from_x, from_y);
    person.hands().press();
    for (int i = 1; i <= 10; ++i)
      move_slowly(person, from_x + (to_x - from_x) * i / 10, from_y + (to_y - from_y) * i / 10);
    person.hands().release();
  });
  REQUIRE(person.waits_until([&] { return s.shapes() == 1; }));
  CHECK(s.page().picture->shapes[0]->text == "dropped");
}

TEST_CASE("router window: in a larger window the canvas is larger", "[gui]") {
  scene s;
  s.program.window.size(700, 460);
  REQUIRE(s.person.waits_until([&] { return s.program.window.w() == 700; }));
  s.person.rest();
  s.drag(640, 100, 690, 300);
  REQUIRE(s.person.waits_until([&] { return s.shapes() == 1; }));
}

TEST_CASE("router window: what was recorded is played again, at once and in real time", "[gui]") {
  const folder f;
  const auto file = f.path / "recording";
  std::string drawing;
  {
    scene s({.record = file});
    s.drag(100, 100, 200, 180);
    s.person.type("b");
    s.drag(250, 100, 350, 180);
    REQUIRE(s.person.waits_until([&] { return s.shapes() == 2; }));
    s.person.hands().chord('z');
    REQUIRE(s.person.waits_until([&] { return s.shapes() == 1; }));
    s.drag(120, 220, 400, 300);
    REQUIRE(s.person.waits_until([&] { return s.shapes() == 2; }));
    drawing = text_of(*s.page().picture);
  }
  for (const pace p : {pace::at_once, pace::as_recorded}) {
    scene s({.play = read_recording(file), .pace = p});
    CHECK(s.person.waits_until([&] { return text_of(*s.page().picture) == drawing; }));
  }
}

TEST_CASE("router window: the picture is saved at each step, and a place that cannot be written is said", "[gui]") {
  const folder f;
  const auto file = f.path / "picture.svg";
  scene s({.save = file});
  s.drag(100, 100, 200, 180);
  REQUIRE(s.person.waits_until([&] { return text_in(file).find("<polyline points=\"100,100 ") != std::string::npos; }));
  std::filesystem::remove_all(f.path);
  s.drag(100, 120, 200, 200);
  REQUIRE(s.person.waits_until(
      [&] { return s.program.window.notice_text().find("cannot be written") != std::string::npos; }));
  std::filesystem::create_directories(f.path);
  s.drag(100, 140, 200, 220);
  REQUIRE(s.person.waits_until([&] { return s.program.window.notice_text().empty(); }));
}

TEST_CASE("router window: a window that is closed while it is drawn in ends in order", "[gui][law11]") {
  tact::engine engine;
  tact::gui::fltk_loop loop(engine);
  {
    router::program program(engine, loop, {});
    tact::gui_tests::person person;
    person.see(program.window);
    person.see(program.watched);
    person.move(program.window, 100, 100);
    person.hands().press();
    for (int x = 100; x < 400; ++x) person.move(program.window, x, 200);
    person.hands().release();
  }
  Fl::check();
  CHECK(Fl::first_window() == nullptr);
}

TEST_CASE("router window: 10,000 moves in a hurry are few for the graph, and the last one is shown", "[gui]") {
  scene s;
  auto& person = s.person;
  const int left = s.program.window.x_root(), top = s.program.window.y_root();
  std::jthread hand([&] {
    for (int i = 1; i <= 10'000; ++i) person.hands().move(left + 100 + i % 300, top + 100 + i % 200);
  });
  REQUIRE(person.waits_until([&] { return s.page().pointer == point{100 + 10'000 % 300, 100 + 10'000 % 200}; }));
  INFO("events: " << s.program.window.events_shown());
  CHECK(s.program.window.events_shown() <= 10'010);
}

}  // namespace window_test
