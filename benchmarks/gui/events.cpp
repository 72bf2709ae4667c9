// How many events a second go through the actors of the example that routes the events of a window, what becomes of
// 10,000 moves of the pointer a second, and what an idle window costs.
//   in_display gui_events [--events N] [--seconds N]
#include <FL/Fl.H>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <future>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include <tact/gui/fltk.hpp>
#include <tact/tact.hpp>

#include "graph.hpp"
#include "gui/display.hpp"
#include "program.hpp"
#include "programs/program.hpp"
#include "watcher.hpp"

namespace {

using clock_type = std::chrono::steady_clock;
using std::chrono::duration;
using namespace router;

constexpr int width = 620;
constexpr int height = 440;

// What a hand does again and again: it moves, draws a line, chooses a tool, draws a box, and takes it back.
std::vector<event> events_of_a_hand(std::size_t count) {
  std::vector<event> cycle;
  const auto at = [&](event_kind kind, int x, int y) { cycle.push_back({.kind = kind, .x = x, .y = y, .amount = 1}); };
  const auto key = [&](const char* name, unsigned m) {
    cycle.push_back({.kind = event_kind::key, .modifiers = m, .text = name});
  };
  for (const char* const tool : {"p", "b"}) {
    key(tool, 0);
    for (int i = 0; i < 20; ++i) at(event_kind::move, 100 + i, 100);
    at(event_kind::press, 120, 100);
    for (int i = 0; i < 20; ++i) at(event_kind::move, 120 + 5 * i, 100 + 5 * i);
    at(event_kind::release, 215, 195);
    key("z", control);
  }
  std::vector<event> all;
  for (std::size_t i = 0; i < count; ++i) {
    all.push_back(cycle[i % cycle.size()]);
    all.back().at_ms = static_cast<std::int64_t>(i);
    all.back().number = i + 1;
  }
  return all;
}

struct begin {};

// Keeps so many events in the graph until all are taken.
class feeder : public tact::actor<feeder, begin, event_source> {
 public:
  feeder(std::vector<event> events, tact::ref<dispatcher> to, std::promise<void>& over)
      : events_(std::move(events)), to_(to), over_(over) {}
  void receive(tact::self<feeder>& self, const begin&) {
    for (int i = 0; i < 256; ++i) send_next(self);
  }
  void receive(tact::self<feeder>&, const event&) {}  // a timer of a long press, which there is none of
  void receive(tact::self<feeder>& self, const taken& m) {
    if (m.number == events_.size()) over_.set_value();
    send_next(self);
  }

 private:
  void send_next(tact::self<feeder>& self) {
    if (next_ == events_.size()) return;
    event& e = events_[next_++];
    e.source = self.ref();
    self.send(to_, std::make_shared<const event>(std::move(e)));
  }

  std::vector<event> events_;
  const tact::ref<dispatcher> to_;
  std::promise<void>& over_;
  std::size_t next_ = 0;
};

// Nanoseconds for each event.
double route(std::size_t count, unsigned workers, bool is_watched) {
  tact::engine engine({.workers = workers});
  listeners to;
  if (is_watched) to.observer = engine.spawn<watcher>();
  const graph g = make_graph(engine, width, height, to);
  std::promise<void> over;
  const auto from = engine.spawn<feeder>(events_of_a_hand(count), g.dispatcher, over);
  const auto start = clock_type::now();
  engine.send(from, begin{});
  over.get_future().wait();
  return duration<double, std::nano>(clock_type::now() - start).count() / double(count);
}

void print_routes(std::size_t count) {
  constexpr int turns = 5;
  std::printf("%-44s %10s %10s\n", "events through the graph, one by one in order", "ns", "per second");
  for (const unsigned workers : {1U, 2U}) {
    for (const bool is_watched : {false, true}) {
      std::array<double, turns> ns{};
      for (double& n : ns) n = route(count, workers, is_watched);
      std::sort(ns.begin(), ns.end());
      const double median = ns[turns / 2];
      std::printf("%u worker%s%-35s %10.0f %10.0f\n", workers, workers == 1 ? "" : "s",
                  is_watched ? ", counted for the window of the graph" : "", median, 1e9 / median);
    }
  }
}

double processor_seconds() { return double(std::clock()) / CLOCKS_PER_SEC; }

// The program, with both windows on the screen.
struct scene {
  tact::engine engine;
  tact::gui::fltk_loop loop{engine};
  router::program program{engine, loop, {}};

  scene() {
    program.window.position(20, 20);
    program.watched.position(20, 480);
    program.watched.show();
    program.window.show();
    rest(1);
  }
  static void rest(double seconds) {
    const auto end = clock_type::now() + duration<double>(seconds);
    for (double left = seconds; left > 0; left = duration<double>(end - clock_type::now()).count()) Fl::wait(left);
  }
};

void print_moves(int seconds) {
  scene s;
  const int left = s.program.window.x_root(), top = s.program.window.y_root();
  const int per_ms = 10;
  const auto place = [](int i) { return point{100 + i % 300, 100 + i % 200}; };
  const int count = seconds * 1000 * per_ms;
  clock_type::time_point last_sent;
  std::atomic<bool> over{false};
  const double before = processor_seconds();
  const auto begin = clock_type::now();
  std::thread hand([&] {
    tact::gui_tests::display screen;
    for (int i = 1; i <= count; ++i) {
      if (i % per_ms == 0) std::this_thread::sleep_until(begin + std::chrono::milliseconds(i / per_ms));
      screen.move(left + place(i).x, top + place(i).y);
    }
    last_sent = clock_type::now();
    over = true;
  });
  while (!over || s.program.window.page().pointer != place(count)) Fl::wait(0.001);
  const auto end = clock_type::now();
  hand.join();
  const double took = duration<double>(last_sent - begin).count();
  std::printf("\n%d moves of the pointer at the X server in %.1f s, %.0f a second\n", count, took, count / took);
  std::printf(
      "  events that the graph took: %llu; the last move was shown after %.1f ms; processor: %.0f %% of a core\n",
      static_cast<unsigned long long>(s.program.window.events_shown()),
      duration<double, std::milli>(end - last_sent).count(),
      100 * (processor_seconds() - before) / duration<double>(end - begin).count());
}

// The same without X server and toolkit, which leave out moves themselves: an actor that handles one in a millisecond.
void print_coalescing(int seconds) {
  tact::engine engine({.workers = 2});
  std::atomic<std::uint64_t> handled{0};
  std::atomic<int> newest{0};
  const auto slow =
      engine.create(tact::behavior<point>{[&](auto&, const point& p) {
                      const auto end = clock_type::now() + std::chrono::milliseconds(1);
                      while (clock_type::now() < end) {
                      }
                      ++handled;
                      newest = p.x;
                    }},
                    tact::heavy, tact::mailbox_limit{.messages = 1, .when_full = tact::when_full::drop_oldest});
  const int count = seconds * 10'000;
  const auto begin = clock_type::now();
  for (int i = 1; i <= count; ++i) {
    if (i % 10 == 0) std::this_thread::sleep_until(begin + std::chrono::milliseconds(i / 10));
    engine.send(slow, point{i, 0});
  }
  const auto sent = clock_type::now();
  while (newest != count) std::this_thread::yield();
  std::printf("\n%d moves to an actor that takes a millisecond for each, %.0f a second\n", count,
              count / duration<double>(sent - begin).count());
  std::printf("  handled: %llu; the newest was handled %.1f ms after it was sent\n",
              static_cast<unsigned long long>(handled.load()),
              duration<double, std::milli>(clock_type::now() - sent).count());
}

void print_idle(int seconds) {
  scene s;
  scene::rest(2);  // workers go to sleep, and give memory back
  const double before = processor_seconds();
  scene::rest(seconds);
  std::printf("\nboth windows idle for %d s: %.3f %% of a core\n", seconds,
              100 * (processor_seconds() - before) / seconds);
}

}  // namespace

int main(int argc, char** argv) {
  bench::program p(argc, argv, "Events that actors route, and what an idle window costs.", "tact");
  const std::size_t events = p.number("events", 500'000, 1000, "events of each kind");
  const int seconds = static_cast<int>(p.number("seconds", 5, 1, "seconds of moves", 1, 3600));
  p.require(p.threads() == 1, "--threads is 1: the engines have as many workers as they usually have");
  p.ready();
  print_routes(events);
  print_moves(seconds);
  print_coalescing(seconds);
  print_idle(2 * seconds);
}
