// The graph without a window: which node gets an event, and that the drawing depends on the events alone.
#include <catch2/catch.hpp>

#include <map>
#include <memory>
#include <mutex>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "hand.hpp"

namespace graph_test {

namespace {

using namespace router;
using router::tests::drawn;
using router::tests::hand;

// The way and the action of each event, as "dispatcher window canvas ... document: point".
class witness {
 public:
  tact::ref<command> in(tact::engine& engine) {
    return engine.create(tact::behavior<command>{[seen = seen_](auto&, const command& m) {
      std::string text;
      for (const node n : m.way) text += node_names()[n] + " > ";
      seen->push_back(text + std::string(name_of(m.what)));
    }});
  }
  // What was seen since the last call.
  std::vector<std::string> take() { return std::exchange(*seen_, {}); }

 private:
  std::shared_ptr<std::vector<std::string>> seen_ = std::make_shared<std::vector<std::string>>();
};

// A person who draws, clicks, types, turns the wheel and changes the size at random.
void play_around(hand& h, unsigned seed, int steps) {
  std::mt19937 random(seed);
  const auto up_to = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  const auto somewhere = [&] { return point{up_to(tests::width), up_to(tests::height)}; };
  const char* const keys[] = {"p", "b", "o", "s", "x", "BackSpace", "Escape"};
  for (int i = 0; i < steps; ++i) {
    h.wait(up_to(200));
    const point a = somewhere(), b = somewhere();
    switch (up_to(9)) {
      case 0:
        h.drag({a, somewhere(), b});
        break;
      case 1:
        h.press(a.x, a.y).move(b.x, b.y).release(b.x, b.y);
        break;
      case 2:
        h.click(a.x, a.y).wait(up_to(400)).click(a.x, a.y);
        break;
      case 3:
        h.key(keys[up_to(7)]);
        break;
      case 4:
        h.key("z", control);
        break;
      case 5:
        h.give({.kind = event_kind::wheel, .x = a.x, .y = a.y, .amount = up_to(3) - 1});
        break;
      case 6:
        h.give({.kind = event_kind::drop, .x = a.x, .y = a.y, .text = "two\nlines"});
        break;
      case 7:
        h.give({.kind = event_kind::resize, .x = 400 + up_to(300), .y = 300 + up_to(200)});
        break;
      default:
        h.press(a.x, a.y);  // and never released, or by something else
        break;
    }
  }
}

}  // namespace

TEST_CASE("router: an event comes down to the view under the pointer, and its gesture to the document", "[gui]") {
  tact::engine engine;
  witness w;
  hand h(engine, {.observer = w.in(engine)});
  h.click_on("undo").rest();
  CHECK(w.take() ==
        std::vector<std::string>{"dispatcher > window > toolbar > undo > undo gestures > commands > nothing",
                                 "dispatcher > window > toolbar > undo > undo gestures > commands > undo"});
  h.move(300, 200).rest();
  CHECK(w.take() == std::vector<std::string>{"dispatcher > window > canvas > canvas gestures > commands > point"});
}

TEST_CASE("router: what no view takes goes up again, and ends as nothing", "[gui]") {
  tact::engine engine;
  witness w;
  hand h(engine, {.observer = w.in(engine)});
  h.move(560, 20).rest();  // behind the buttons of the toolbar
  CHECK(w.take() == std::vector<std::string>{"dispatcher > window > toolbar > window > nothing"});
  h.key("b").rest();
  CHECK(w.take() == std::vector<std::string>{"dispatcher > window > canvas > window > chords > commands > choose box"});
}

TEST_CASE("router: keys go to the view that has the focus, but Escape to the window first", "[gui]") {
  tact::engine engine;
  witness w;
  hand h(engine, {.observer = w.in(engine)});
  h.click_on("caption").key("b").key("Escape").rest();
  const auto seen = w.take();
  REQUIRE(seen.size() == 4);
  CHECK(seen[2] == "dispatcher > window > caption > caption gestures > commands > type");
  CHECK(seen[3] == "dispatcher > window > chords > commands > give up");
  CHECK(h.page()->picture->caption == "b");
  h.click_on("pen").key("c");  // buttons take no focus
  CHECK(h.page()->picture->caption == "bc");
  h.click_on("canvas").key("o");
  CHECK(h.page()->tool == tool::oval);
}

TEST_CASE("router: the view in which a button was pressed has the pointer until all are released", "[gui]") {
  tact::engine engine;
  hand h(engine);
  h.press(100, 100).rest();
  h.move(200, 10).rest();  // over the toolbar
  h.press(200, 10, 3).release(200, 10, 3).rest();
  h.move(250, 10).rest();
  h.release(250, 10);
  CHECK(h.drawing() == "0 colour 0 width 2 : 100,100 200,10 250,10 250,10\n\n");
  h.click_on("box");
  CHECK(h.page()->tool == tool::box);
}

TEST_CASE("router: when the window has another size its views are elsewhere", "[gui]") {
  tact::engine engine;
  hand h(engine);
  h.give({.kind = event_kind::resize, .x = 600, .y = 800});
  h.drag({{100, 500}, {200, 700}});  // where the caption was, and below
  CHECK(h.page()->picture->shapes.size() == 1);
}

TEST_CASE("router: each event ends as one command, in the order of events", "[gui][law4]") {
  tact::engine engine({.workers = 4});
  std::vector<std::uint64_t> numbers;
  const auto observer =
      engine.create(tact::behavior<command>{[&](auto&, const command& m) { numbers.push_back(m.last->number); }});
  hand h(engine, {.observer = observer});
  play_around(h, 1, 500);
  const auto events = h.recorded();
  REQUIRE(numbers.size() == events->size());
  for (std::size_t i = 0; i < numbers.size(); ++i) REQUIRE(numbers[i] == i + 1);
}

TEST_CASE("router: a recording draws the same in every order of a simulation", "[gui]") {
  std::map<std::string, std::string> drawings;
  for (unsigned seed = 1; seed <= 5; ++seed) {
    CAPTURE(seed);
    tact::engine engine;
    hand h(engine);
    play_around(h, seed, 60);
    const auto events = h.recorded();
    const std::string drawing = h.drawing();
    const auto found = tact::explore(
        60, [&](tact::simulation& sim) { sim.check(drawn(sim.engine(), events) == drawing, "another drawing"); });
    CHECK_FALSE(found.failed);
    CHECK(drawn(engine, events) == drawing);
  }
}

TEST_CASE("router: a recording in real time draws the same, at the times of its events", "[gui]") {
  tact::engine engine;
  hand h(engine);
  h.drag({{100, 100}, {150, 150}}).wait(200).click(120, 120).wait(100).click(120, 120);
  const auto events = h.recorded();
  const std::string drawing = h.drawing();
  CHECK(drawing == "0 colour 1 width 2 : 100,100 150,150 150,150\n\n");
  tact::simulation sim(1);
  const graph g = make_graph(sim.engine(), tests::width, tests::height, {});
  play(sim.engine(), events, g.dispatcher, pace::as_recorded);
  sim.advance(std::chrono::milliseconds(299));
  CHECK(text_of(*sim.engine().ask(g.document, question_page{})->picture) != drawing);
  sim.advance(std::chrono::milliseconds(1));
  CHECK(text_of(*sim.engine().ask(g.document, question_page{})->picture) == drawing);
}

TEST_CASE("router: a slow analyst delays no event", "[gui]") {
  tact::engine engine({.workers = 2});
  std::mutex wait;
  std::unique_lock held(wait);
  const auto slow = engine.create(
      tact::behavior<picture_ptr>{[&](auto&, const picture_ptr&) { std::lock_guard go(wait); }}, tact::blocking);
  std::atomic<int> done{0};
  const auto observer = engine.create(tact::behavior<command>{[&](auto&, const command&) {
    ++done;
    done.notify_all();
  }});
  hand h(engine, {.analyst = slow, .observer = observer});
  h.click_on("caption");
  for (int i = 0; i < 100; ++i) h.key("x");
  for (int now = done; now < 102; now = done) done.wait(now);  // all events, though the first picture still waits
  held.unlock();
  CHECK(h.page()->picture->caption == std::string(100, 'x'));
}

}  // namespace graph_test
