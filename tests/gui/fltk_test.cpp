// tact::gui::fltk_loop in real windows: events in, updates out, and what goes wrong on the way.
#include "tact/gui/fltk.hpp"

#include <FL/Fl_Box.H>
#include <FL/Fl_Button.H>
#include <FL/Fl_Input.H>
#include <FL/Fl_Window.H>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "gui/counter.hpp"
#include "gui/display.hpp"

namespace {

using namespace tact;
using namespace std::chrono_literals;
using namespace gui_tests;
using support::quiet_options;

// A window with a button at the left and a box at the right, on the screen.
struct scene {
  Fl_Window window{40, 40, 300, 100, "tact"};
  Fl_Button button{10, 10, 100, 40, "press"};
  Fl_Box box{120, 10, 100, 40};

  scene() {
    window.end();
    window.show();
    while (!window.visible_r() || Fl::readqueue() != nullptr) Fl::wait(0.01);
    settle();
  }
  // The server has shown it.
  static void settle() {
    for (int i = 0; i < 20; ++i) Fl::wait(0.01);
  }
};

template <class Over>
bool run_until(Over over) {
  return wait_until(over, [] { Fl::wait(1); });
}

void show_text(Fl_Box& box, const text& m) { box.copy_label(m.value.c_str()); }

}  // namespace

TEST_CASE("fltk: a click reaches an actor of a worker, and its answer the widget", "[gui]") {
  scene s;
  display screen;
  engine e(quiet_options(2));
  gui::fltk_loop loop(e);
  const auto shown = loop.shows<label>(s.box, [](Fl_Box& box, const text& m) { show_text(box, m); });
  const auto counts = e.create(count_presses(shown));
  loop.sends(
      s.button, [](Fl_Button&) { return press{}; }, counts);
  for (int i = 1; i <= 3; ++i) {
    screen.click(90, 70);
    CHECK(run_until([&] { return s.box.label() != nullptr && s.box.label() == std::to_string(i); }));
  }
}

TEST_CASE("fltk: a callback that returns nothing sends nothing", "[gui]") {
  scene s;
  engine e(quiet_options(1));
  gui::fltk_loop loop(e);
  int seen = 0;
  const auto to = e.create(behavior<label>{[&](auto&, const text&) { ++seen; }}, on_loop(loop));
  bool sends = false;
  loop.sends(
      s.button, [&](Fl_Button&) { return sends ? std::optional(text{"now"}) : std::nullopt; }, to);
  s.button.do_callback();
  sends = true;
  s.button.do_callback();
  CHECK(run_until([&] { return seen == 1; }));
  CHECK(e.statistics().messages_sent == 1);
}

TEST_CASE("fltk: a callback may give its widget another callback, or delete it", "[gui]") {
  scene s;
  engine e(quiet_options(1));
  gui::fltk_loop loop(e);
  std::string done;
  const std::string word = "a text that is too long to lie in the callback itself";
  loop.does(s.button, [&, word](Fl_Button& b) {
    loop.does(b, [&](Fl_Button&) { done += "second"; });
    done += word;
  });
  s.button.do_callback();
  s.button.do_callback();
  CHECK(done == word + "second");
  auto* const gone = new Fl_Button(0, 0, 10, 10);
  loop.does(*gone, [&, word](Fl_Button& b) {
    delete &b;
    done = word;
  });
  gone->do_callback();
  CHECK(done == word);
}

TEST_CASE("fltk: what comes for a widget that has gone is a dead letter, and its actor ends", "[gui][law4]") {
  engine e(quiet_options(1));
  scene s;
  gui::fltk_loop loop(e);
  auto* gone = new Fl_Box(0, 0, 10, 10);
  const auto shown = loop.shows<label>(*gone, [](Fl_Box& box, const text& m) { show_text(box, m); });
  loop.does(*gone, [](Fl_Box&) {});
  delete gone;
  shown | text{"too late"};
  shown | text{"later"};
  CHECK(run_until([&] { return e.statistics().in_flight() == 0; }));
  CHECK(e.statistics().dead_letters == 2);
  CHECK(e.statistics().actors_alive == 0);
}

TEST_CASE("fltk: a widget that outlives the loop sends nothing", "[gui][law11]") {
  scene s;
  engine e(quiet_options(1));
  int done = 0;
  {
    gui::fltk_loop loop(e);
    loop.does(s.button, [&](Fl_Button&) { ++done; });
    s.button.do_callback();
  }
  s.button.do_callback();
  CHECK(done == 1);
}

TEST_CASE("fltk: the window handles events while a flood of messages comes", "[gui][law7]") {
  scene s;
  display screen;
  engine e(quiet_options(2));
  gui::fltk_loop loop(e);
  std::atomic<bool> over{false};
  long shown = 0;
  const auto sink = e.create(behavior<label>{[&](auto&, const text&) { ++shown; }}, on_loop(loop),
                             mailbox_limit{.messages = 10'000, .when_full = when_full::hold_back});
  std::jthread flood([&] {
    while (!over) e.send(sink, text{"more"});
  });
  bool pressed = false;
  loop.does(s.button, [&](Fl_Button&) { pressed = true; });
  CHECK(run_until([&] { return shown > 1'000; }));
  screen.click(90, 70);
  CHECK(run_until([&] { return pressed; }));
  over = true;
  CHECK(run_until([&] { return e.statistics().in_flight() == 0; }));
}

TEST_CASE("fltk: of many updates only the newest waits, if the actor is told so", "[gui]") {
  scene s;
  engine e(quiet_options(2));
  gui::fltk_loop loop(e);
  std::vector<std::string> seen;
  const auto shown = loop.shows_newest<label>(s.box, [&](Fl_Box&, const text& m) { seen.push_back(m.value); });
  for (int i = 1; i <= 10'000; ++i) e.send(shown, text{std::to_string(i)});
  CHECK(run_until([&] { return !seen.empty() && seen.back() == "10000"; }));
  CHECK(seen.size() == 1);
  CHECK(e.statistics().dead_letters == 9'999);
}

TEST_CASE("fltk: a dialog inside a handler stops no window, and the handler goes on behind it", "[gui]") {
  scene s;
  engine e(quiet_options(1));
  gui::fltk_loop loop(e);
  int handled = 0;
  int turns = 0;
  const auto opens = e.create(behavior<label>{[&](auto&, const text&) {
                                for (turns = 0; turns < 5; ++turns) Fl::wait(0.01);  // as a dialog does
                                ++handled;
                              }},
                              on_loop(loop));
  opens | text{"first"};
  opens | text{"second"};
  CHECK(run_until([&] { return handled == 2; }));
}

TEST_CASE("fltk: an idle window takes less than a thousandth of a core", "[gui]") {
  scene s;
  engine e(quiet_options(2));
  gui::fltk_loop loop(e);
  const auto rest_for = [](std::chrono::duration<double> time) {
    const auto end = std::chrono::steady_clock::now() + time;
    for (auto left = time; left > 0s; left = end - std::chrono::steady_clock::now()) Fl::wait(left.count());
  };
  rest_for(1s);  // workers go to sleep, and give memory back
  const std::clock_t before = std::clock();
  rest_for(2s);
  const double share = double(std::clock() - before) / CLOCKS_PER_SEC / 2;
  INFO("share of a core: " << share);
  CHECK(share < (support::sanitized ? 0.02 : 0.001));  // their own threads look up now and then
}
