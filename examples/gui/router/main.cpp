// router: paint in a window whose events are routed by actors, while a second window shows which actor gets what.
#include <FL/Fl.H>

#include <cstdio>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "program.hpp"

namespace {

constexpr const char* usage =
    "usage: router [--record FILE] [--save FILE.svg]\n"
    "       router --play FILE [--at-once]\n"
    "\n"
    "  Drag in the window to draw, double click to change a colour, press long to remove, turn the wheel for the width "
    "of\n"
    "  lines. Keys: p b o s choose a tool, Ctrl+z and Ctrl+y undo and redo, Ctrl+k Ctrl+d clears, Escape gives up. "
    "Text\n"
    "  that is dropped on the canvas is placed there.\n"
    "\n"
    "  --record FILE  writes all events to that file\n"
    "  --save FILE    saves the picture there, each time that it changes\n"
    "  --play FILE    plays a recording, in real time or, with --at-once, as fast as it goes\n";

// None: they are wrong.
std::optional<router::program_options> parse(std::span<char*> arguments) {
  router::program_options o;
  for (std::size_t i = 1; i < arguments.size(); ++i) {
    const std::string_view name = arguments[i];
    const bool has_value = i + 1 < arguments.size();
    if (name == "--at-once") {
      o.pace = router::pace::at_once;
    } else if (name == "--record" && has_value) {
      o.record = arguments[++i];
    } else if (name == "--save" && has_value) {
      o.save = arguments[++i];
    } else if (name == "--play" && has_value) {
      o.play = router::read_recording(arguments[++i]);
    } else {
      return std::nullopt;
    }
  }
  return o;
}

int run(const router::program_options& options) {
  if (!tact::gui::has_display()) return 1;
  tact::engine engine;
  tact::gui::fltk_loop loop(engine);
  Fl::scheme("gtk+");
  router::program program(engine, loop, options);
  program.watched.position(program.window.x() + program.window.w() + 20, program.window.y());
  program.watched.show();
  program.window.show();
  return loop.run();
}

}  // namespace

int main(int argc, char** argv) try {
  const auto options = parse(std::span(argv, static_cast<std::size_t>(argc)));
  if (!options) return std::fputs(usage, stderr), 2;
  return run(*options);
} catch (const router::recording_error& error) {
  std::fprintf(stderr, "router: %s\n", error.what());
  return 1;
}
