// The window stays alive whatever the workers do.
#include <catch2/catch.hpp>  // first: FL/fl_draw.H brings the macros of Xlib

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <thread>
#include <vector>

#include "gui/display.hpp"
#include "program.hpp"
#include "sounds.hpp"

namespace {

using namespace std::chrono_literals;
using loudness::tests::program;
using loudness::tests::sounds;
using clock_type = std::chrono::steady_clock;
using milliseconds = std::chrono::duration<double, std::milli>;

// How many keys the program has handled, each with all that its widget does for it.
std::atomic<int> keys_handled{0};

int count_keys(int event, Fl_Window* window) {
  const int taken = Fl::handle_(event, window);
  if (event == FL_KEYBOARD) {
    ++keys_handled;
    keys_handled.notify_all();
  }
  return taken;
}

// How long each key took from the X server until its widget had handled it, the shortest first. A person presses them
// on a thread of his own, so that they come at any time.
std::vector<double> press_keys(int count) {
  std::vector<double> took;
  std::atomic<bool> is_over{false};
  Fl::event_dispatch(&count_keys);
  std::thread hand([&] {
    tact::gui_tests::display screen;
    for (int i = 0; i < count; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(2 + i % 7));
      const int before = keys_handled;
      const auto begin = clock_type::now();
      screen.key(i % 20 < 10 ? tact::gui_tests::special::down : tact::gui_tests::special::up);
      keys_handled.wait(before);
      took.push_back(milliseconds(clock_type::now() - begin).count());
    }
    is_over = true;
    Fl::awake();
  });
  while (!is_over) Fl::wait();
  hand.join();
  Fl::event_dispatch(nullptr);
  std::sort(took.begin(), took.end());
  return took;
}

double at(const std::vector<double>& sorted, double share) {
  return sorted[static_cast<std::size_t>(share * static_cast<double>(sorted.size() - 1))];
}

}  // namespace

TEST_CASE("loudness window: 99 of 100 events are handled within 16 ms while all workers are busy", "[gui]") {
  sounds made;
  made.add("sound.wav", 40);
  made.repeat("sound.wav", 500);
  program p;
  p.window.open(made.path());
  REQUIRE(p.person.waits_until([&] { return p.window.table.rows() == 501; }));
  p.click_head(loudness::sort_key::loudness);
  p.click_row(3);
  REQUIRE(p.person.waits_until([&] { return !p.window.table.selected().empty(); }));
  double best_p99 = 1e9;
  for (int round = 0; round < 3 && best_p99 > 16.0; ++round) {
    const auto took = press_keys(300);
    std::printf("event to handled, ms: p50 %.2f, p99 %.2f, longest %.2f\n", at(took, 0.5), at(took, 0.99), at(took, 1));
    best_p99 = std::min(best_p99, at(took, 0.99));
  }
  CHECK(best_p99 <= 16.0);
  INFO(p.status());
  CHECK(p.window.work.cancel.active());  // the workers were busy all the time
}
