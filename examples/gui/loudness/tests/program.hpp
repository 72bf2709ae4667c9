// The program on the screen, and a person at its window.
#pragma once

#include <FL/Fl.H>

#include <string>
#include <string_view>

#include "../window.hpp"
#include "../window_engine.hpp"
#include "gui/person.hpp"

namespace loudness::tests {

class program {
 public:
  program() {
    Fl::scheme("gtk+");
    Fl::option(Fl::OPTION_FNFC_USES_GTK, false);
    person.see(window);
  }

  // What the bar says.
  [[nodiscard]] std::string status() const { return window.work.bar.label() == nullptr ? "" : window.work.bar.label(); }
  [[nodiscard]] bool waits_until_status(std::string_view begin) {
    return person.waits_until([&] { return status().starts_with(begin); });
  }
  void click_head(sort_key key) {
    const int right =
        key == sort_key::path ? 60 : window.table.w() - 40 - file_table::figure_width * (5 - static_cast<int>(key));
    person.click(window.table, right, 13);
  }
  void click_row(int row) { person.click(window.table, 60, 26 + 25 * row + 12); }

  tact::engine& engine() { return *engine_; }
  tact::gui::fltk_loop& loop() { return loop_; }

 private:
  window_engine engine_;
  tact::gui::fltk_loop loop_{*engine_};

 public:
  loudness::window window{*engine_, loop_};
  tact::gui_tests::person person;
};

}  // namespace loudness::tests
