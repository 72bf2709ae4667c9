// How long it takes from an event at the X server to what an actor shows because of it: a button is pressed by another
// connection to the server, and a box changes its colour. Beside the same by a plain callback of FLTK.
//   in_display gui_latency [--presses N]
#include <FL/Fl.H>
#include <FL/Fl_Box.H>
#include <FL/Fl_Button.H>
#include <FL/Fl_Window.H>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <functional>
#include <thread>
#include <vector>

#include <tact/gui/fltk.hpp>
#include <tact/tact.hpp>

#include "gui/display.hpp"
#include "programs/program.hpp"

namespace {

using clock_type = std::chrono::steady_clock;
using microseconds = std::chrono::duration<double, std::micro>;

struct press {};
struct switcher : tact::protocol<press> {};
struct color {
  bool on;
};
struct lamp : tact::protocol<color> {};
struct work {};
struct busy : tact::protocol<work> {};

// What is on the screen: a button, and a box beside it that is red or green.
class scene {
 public:
  scene() {
    window.end();
    box.box(FL_FLAT_BOX);
    show(false);
    window.show();
    for (int i = 0; i < 30; ++i) Fl::wait(0.01);
  }
  void show(bool on) {
    box.color(on ? FL_GREEN : FL_RED);
    box.redraw();
    is_on = on;
  }

  Fl_Window window{40, 40, 300, 100, "latency"};
  Fl_Button button{10, 10, 100, 40, "press"};
  Fl_Box box{150, 10, 100, 40};
  bool is_on = false;
};

tact::behavior<switcher> switches(tact::ref<lamp> l, bool on) {
  return {[=](auto& self, const press&) {
    self.send(l, color{!on});
    self.become(switches(l, !on));
  }};
}

// Keeps a worker busy, a millisecond at a time.
tact::behavior<busy> works() {
  return {[](auto& self, const work&) {
    const auto end = clock_type::now() + std::chrono::milliseconds(1);
    while (clock_type::now() < end) {
    }
    self.send(self.ref(), work{});
  }};
}

// Presses the button so often, and says how long each took to be seen. The window's thread runs FLTK meanwhile.
std::vector<double> measure(int presses) {
  std::vector<double> took;
  std::atomic<bool> over{false};
  std::thread hand([&] {
    tact::gui_tests::display screen;
    screen.move(90, 70);
    auto before = screen.color(230, 70);
    for (int i = 0; i < presses; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(5 + i % 7));
      const auto begin = clock_type::now();
      screen.press();
      screen.release();
      auto seen = before;
      while ((seen = screen.color(230, 70)) == before) {
      }
      took.push_back(microseconds(clock_type::now() - begin).count());
      before = seen;
    }
    over = true;
    Fl::awake();
  });
  while (!over) Fl::wait();
  hand.join();
  std::sort(took.begin(), took.end());
  return took;
}

void print(const char* name, const std::vector<double>& took) {
  const auto at = [&](double share) { return took[static_cast<std::size_t>(share * double(took.size() - 1))]; };
  std::printf("%-44s %8.0f %8.0f %8.0f\n", name, at(0.5), at(0.99), at(1));
}

enum class load : unsigned char { idle, busy };

void with_actors(const char* name, int presses, load l, bool state_on_loop) {
  scene s;
  tact::engine engine({.workers = std::max(1U, std::thread::hardware_concurrency())});
  {
    tact::gui::fltk_loop loop(engine);
    const auto shown = loop.shows<lamp>(s.box, [&](Fl_Box&, const color& m) { s.show(m.on); });
    const auto state = state_on_loop ? engine.create(switches(shown, false), tact::on_loop(loop))
                                     : engine.create(switches(shown, false));
    loop.sends(
        s.button, [](Fl_Button&) { return press{}; }, state);
    if (l == load::busy) {
      for (unsigned i = 0; i < 2 * engine.workers(); ++i) engine.send(engine.create(works()), work{});
    }
    print(name, measure(presses));
  }
  static_cast<void>(engine.cancel(std::chrono::seconds(10)));
}

void plain(const char* name, int presses, load l) {
  scene s;
  Fl::lock();
  const auto callback = [](Fl_Widget*, void* at) {
    auto& of = *static_cast<scene*>(at);
    of.show(!of.is_on);
  };
  s.button.callback(callback, &s);
  std::atomic<bool> over{false};
  std::vector<std::thread> others;
  for (unsigned i = 0; l == load::busy && i < std::max(1U, std::thread::hardware_concurrency()); ++i) {
    others.emplace_back([&] {
      while (!over) {
      }
    });
  }
  print(name, measure(presses));
  over = true;
  for (auto& t : others) t.join();
}

}  // namespace

int main(int argc, char** argv) {
  bench::program p(argc, argv, "From the press of a button to what an actor shows.", "tact");
  const int presses = static_cast<int>(p.number("presses", 1000, 5, "presses of each button", 1, 1'000'000));
  p.require(p.threads() == 1, "--threads is 1: the engines have as many workers as they usually have");
  p.ready();
  std::printf("%-44s %8s %8s %8s\n", "microseconds from the press to the screen", "p50", "p99", "longest");
  plain("a callback of FLTK, idle", presses, load::idle);
  with_actors("an actor of the window's thread, idle", presses, load::idle, true);
  with_actors("an actor of a worker, idle", presses, load::idle, false);
  plain("a callback of FLTK, all processors busy", presses, load::busy);
  with_actors("an actor of the window's thread, workers busy", presses, load::busy, true);
  with_actors("an actor of a worker, workers busy", presses, load::busy, false);
}
