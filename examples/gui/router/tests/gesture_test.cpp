// Gestures, chords, and what the commands do to the page.
#include <catch2/catch.hpp>

#include <chrono>
#include <string>

#include "chord.hpp"
#include "hand.hpp"

namespace gesture_test {

namespace {

using namespace router;
using namespace std::chrono_literals;
using router::tests::hand;

constexpr point place{300, 200};  // of the canvas

// A page with one line there.
void draw_line(hand& h) { h.drag({{280, 180}, {320, 220}}); }
std::size_t shapes(hand& h) { return h.page()->picture->shapes.size(); }

}  // namespace

TEST_CASE("gesture: a press that hardly moves is a click, and selects", "[gui]") {
  tact::engine engine;
  hand h(engine);
  draw_line(h);
  h.wait(1000).press(place.x, place.y).rest();
  h.move(place.x + drag_pixels, place.y).rest();
  h.release(place.x + drag_pixels, place.y);
  CHECK(h.page()->selected == 0U);
  CHECK(shapes(h) == 1);
  h.click(100, 100);
  CHECK_FALSE(h.page()->selected);
}

TEST_CASE("gesture: two clicks soon after each other at one place are a double click", "[gui]") {
  tact::engine engine;
  hand h(engine);
  draw_line(h);
  const auto colour = [&] { return h.page()->picture->shapes[0]->colour; };
  h.click(place.x, place.y).wait(double_click_ms).click(place.x, place.y);
  CHECK(colour() == 1);
  h.wait(1000).click(place.x, place.y).wait(double_click_ms + 1).click(place.x, place.y);
  CHECK(colour() == 1);
  h.wait(1000).click(place.x - 15, place.y).click(place.x, place.y);
  CHECK(colour() == 1);
  h.wait(1000).click(place.x, place.y).wait(100).click(place.x, place.y).wait(100).click(place.x, place.y);
  CHECK(colour() == 2);  // the third one is a click again
}

TEST_CASE("gesture: a press that lasts is a long press, which no drag and no click follows", "[gui]") {
  tact::simulation sim(1);
  hand h(sim.engine());
  draw_line(h);
  h.wait(1000).press(place.x, place.y);
  sim.advance(499ms);
  CHECK(shapes(h) == 1);
  sim.advance(1ms);
  CHECK(shapes(h) == 0);
  h.key("z", control);
  CHECK(shapes(h) == 1);
  h.move(place.x + 50, place.y).release(place.x + 50, place.y);
  CHECK(shapes(h) == 1);
  CHECK_FALSE(h.page()->selected);
}

TEST_CASE("gesture: a press that was released or moved in time is no long press", "[gui]") {
  tact::simulation sim(1);
  hand h(sim.engine());
  draw_line(h);
  h.wait(1000).click(place.x, place.y);
  sim.advance(400ms);
  h.wait(400).press(place.x, place.y);
  sim.advance(499ms);  // the timer of the first press has fired
  CHECK(shapes(h) == 1);
  h.release(place.x, place.y).wait(2000).press(place.x, place.y).move(place.x + 50, place.y);
  sim.advance(2s);
  h.release(place.x + 50, place.y);
  CHECK(shapes(h) == 2);
}

TEST_CASE("gesture: a drag draws what the tool says, and moves what is selected", "[gui]") {
  tact::engine engine;
  hand h(engine);
  h.key("b").drag({{100, 100}, {120, 130}, {150, 160}});
  h.key("o").drag({{200, 100}, {250, 160}});
  h.key("s").drag({{110, 110}, {130, 100}});
  h.drag({{500, 300}, {520, 300}});  // of nothing
  CHECK(h.drawing() ==
        "1 colour 0 width 2 : 120,90 170,150\n"
        "2 colour 0 width 2 : 200,100 250,160\n\n");
}

TEST_CASE("gesture: a drag whose moves were left out draws from its beginning to its end", "[gui]") {
  tact::engine engine;
  hand h(engine);
  h.key("b").press(100, 100).release(150, 160).key("s").press(110, 110).release(130, 110);
  CHECK(h.drawing() == "1 colour 0 width 2 : 120,100 170,160\n\n");
}

TEST_CASE("gesture: Escape gives up what is being drawn", "[gui]") {
  tact::engine engine;
  hand h(engine);
  h.press(100, 100).rest();
  h.move(200, 200).rest();
  CHECK(h.page()->draft);
  h.key("Escape").rest();
  h.move(250, 200).rest();
  h.release(250, 200);
  CHECK(shapes(h) == 0);
}

TEST_CASE("gesture: other buttons neither click nor end a drag", "[gui]") {
  tact::engine engine;
  hand h(engine);
  h.press(200, 200, 2).release(200, 200, 2).press(100, 100).rest();
  h.move(200, 200).rest();
  h.press(200, 200, 3).release(200, 200, 3).rest();
  CHECK(h.page()->draft);
  h.release(200, 200);
  CHECK(shapes(h) == 1);
}

TEST_CASE("chord: keys have the names of people, and a shifted letter is its capital", "[gui]") {
  CHECK(key_name({.modifiers = control, .text = "z"}) == "Ctrl+z");
  CHECK(key_name({.modifiers = control | shift, .text = "z"}) == "Ctrl+Shift+z");
  CHECK(key_name({.modifiers = shift, .text = "P"}) == "P");
  CHECK(key_name({.modifiers = shift, .text = "Escape"}) == "Shift+Escape");
}

TEST_CASE("chord: two keys one after the other are one command, and another second key is none", "[gui]") {
  tact::engine engine;
  hand h(engine);
  draw_line(h);
  h.key("k", control).key("x");
  CHECK(shapes(h) == 1);
  h.key("d", control);
  CHECK(shapes(h) == 1);
  h.key("k", control).key("d", control);
  CHECK(shapes(h) == 0);
  h.key("b");
  CHECK(h.page()->tool == tool::box);
}

TEST_CASE("command: what a gesture means can be changed while events come", "[gui]") {
  tact::engine engine;
  hand h(engine);
  draw_line(h);
  h.rest();
  engine.send(h.of().commands, bind{"canvas wheel", action::clear});
  h.rest();
  h.give({.kind = event_kind::wheel, .x = place.x, .y = place.y, .amount = 1});
  CHECK(shapes(h) == 0);
}

TEST_CASE("document: undo and redo go through all steps, and a new step ends what could be redone", "[gui]") {
  tact::engine engine;
  hand h(engine);
  draw_line(h);
  h.give({.kind = event_kind::drop, .x = 50, .y = 100, .text = "note"});
  h.give({.kind = event_kind::wheel, .x = 50, .y = 100, .amount = -3});  // no step
  CHECK(shapes(h) == 2);
  h.click_on("undo").click_on("undo").click_on("undo");
  CHECK(shapes(h) == 0);
  h.key("y", control);
  CHECK(shapes(h) == 1);
  h.key("Z", control);
  CHECK(shapes(h) == 1);
  h.key("z", control | shift);
  CHECK(shapes(h) == 2);
  h.key("z", control);
  draw_line(h);
  h.click_on("redo");
  CHECK(h.page()->picture->shapes.back()->width == 5);
  CHECK(shapes(h) == 2);
}

TEST_CASE("intake: moves that come while the graph is busy are one, the newest, before what follows", "[gui]") {
  tact::simulation sim(1);
  std::vector<event> sent;
  const auto dispatcher =
      sim.engine().create(tact::behavior<router::dispatcher>{[&](auto&, const event_ptr& e) { sent.push_back(*e); }});
  const auto intake = sim.engine().create(make_intake(dispatcher));
  const auto move = [&](int x) { sim.engine().send(intake, event{.kind = event_kind::move, .x = x}); };
  for (int x = 1; x <= 100; ++x) move(x);
  sim.run();
  REQUIRE(sent.size() == 1);
  sim.engine().send(intake, taken{1});
  sim.run();
  REQUIRE(sent.size() == 2);
  CHECK(sent[1].x == 100);
  move(200);
  sim.engine().send(intake, event{.kind = event_kind::press, .x = 201});
  move(202);
  sim.run();
  REQUIRE(sent.size() == 4);
  CHECK(sent[2].x == 200);
  CHECK(sent[3].x == 201);
  sim.engine().send(intake, taken{2});
  sim.run();
  CHECK(sent.size() == 4);
  sim.engine().send(intake, taken{4});
  sim.run();
  REQUIRE(sent.size() == 5);
  CHECK(sent[4].x == 202);
}

}  // namespace gesture_test
