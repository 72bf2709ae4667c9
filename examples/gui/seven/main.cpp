// The seven tasks of the 7GUIs benchmark: seven TASK opens the window of one. https://eugenkiss.github.io/7guis/tasks
#include <FL/Fl.H>

#include <cstdio>
#include <functional>
#include <map>
#include <memory>
#include <string>

#include "cells.hpp"
#include "circles.hpp"
#include "counter.hpp"
#include "crud.hpp"
#include "flight.hpp"
#include "temperature.hpp"
#include "timer.hpp"

namespace {

using make_window = std::function<std::unique_ptr<Fl_Window>(tact::engine&, tact::gui::fltk_loop&)>;

template <class Window>
make_window window_of() {
  return [](tact::engine& e, tact::gui::fltk_loop& loop) { return std::make_unique<Window>(e, loop); };
}

const std::map<std::string, make_window> tasks = {
    {"cells", window_of<seven::cells_window>()},     {"circles", window_of<seven::circles_window>()},
    {"counter", window_of<seven::counter_window>()}, {"crud", window_of<seven::crud_window>()},
    {"flight", window_of<seven::flight_window>()},   {"temperature", window_of<seven::temperature_window>()},
    {"timer", window_of<seven::timer_window>()},
};

int usage() {
  std::fputs("usage: seven TASK\nTASK is one of:", stderr);
  for (const auto& [name, make] : tasks) std::fprintf(stderr, " %s", name.c_str());
  std::fputs("\n", stderr);
  return 2;
}

}  // namespace

int main(int argc, char** argv) {
  const auto task = argc == 2 ? tasks.find(argv[1]) : tasks.end();
  if (task == tasks.end()) return usage();
  if (!tact::gui::has_display()) return 1;
  tact::engine engine;
  tact::gui::fltk_loop loop(engine);
  const auto window = task->second(engine, loop);
  window->show();
  return loop.run();
}
