// loudness_window: measures the sound files in a folder by EBU R128, and shows them in a window while it does.
#include <FL/Fl.H>

#include <cstdio>
#include <string_view>

#include "window.hpp"
#include "window_engine.hpp"

namespace {

constexpr const char* help = R"(usage: loudness_window [FOLDER]

Measures the sound files in a folder and in those inside it by EBU R128, and shows
them in a window: integrated loudness (LUFS), loudness range (LU), true peak (dBTP)
and duration. A click on the head of a column sorts by it, a second one turns the
order round. The file that is selected is shown over its time.
)";

bool asks_for_help(std::string_view argument) { return argument == "--help" || argument == "-h"; }

}  // namespace

int main(int argc, char** argv) {
  const bool is_known = argc == 1 || (argc == 2 && (argv[1][0] != '-' || asks_for_help(argv[1])));
  if (!is_known || (argc == 2 && asks_for_help(argv[1]))) {
    std::fputs(help, is_known ? stdout : stderr);
    return is_known ? 0 : 2;
  }
  if (!tact::gui::has_display()) return 1;
  Fl::scheme("gtk+");
  Fl::option(Fl::OPTION_FNFC_USES_GTK, false);  // its loop would keep that of this program from running
  const loudness::window_engine engine;
  tact::gui::fltk_loop loop(*engine);
  loudness::window window(*engine, loop);
  if (argc == 2) window.open(argv[1]);
  window.show();
  return loop.run();
}
