// chat: windows that talk to each other. One may be stopped in its handler; the others go on.
#include <FL/Fl.H>

#include <tact/gui/fltk.hpp>
#include <tact/tact.hpp>

#include "chat_window.hpp"

int main() {
  if (!tact::gui::has_display()) return 1;
  tact::engine engine;
  tact::gui::fltk_loop loop(engine);
  chat::conversation c(engine, loop);
  for (int i = 0; i < 3; ++i) c.open();
  return loop.run();
}
