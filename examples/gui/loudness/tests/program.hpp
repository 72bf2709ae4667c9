// The program on the screen, and a person at its window.
#pragma once

#include <FL/Fl.H>

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "../window.hpp"
#include "../window_engine.hpp"
#include "gui/person.hpp"

namespace loudness::tests {

class program {
 public:
  // With a store the results are kept in it.
  explicit program(const std::string& store = {})
      : kept_(store.empty() ? nullptr : open_archive(*engine_, store, archive_use::keep)) {
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
  // The files that are shown, without their folders and endings.
  [[nodiscard]] std::vector<std::string> names() const {
    std::vector<std::string> all;
    const auto& rows = window.table.shown_rows();
    for (std::size_t i = 0; i < rows.size(); ++i) all.push_back(std::filesystem::path(rows.at(i).path).stem().string());
    return all;
  }
  void click_row(int row) { person.click(window.table, 60, 26 + 25 * row + 12); }

  tact::engine& engine() { return *engine_; }
  tact::gui::fltk_loop& loop() { return loop_; }

 private:
  window_engine engine_;
  tact::gui::fltk_loop loop_{*engine_};
  std::shared_ptr<const archive> kept_;

 public:
  loudness::window window{*engine_, loop_, kept_};
  tact::gui_tests::person person;
};

}  // namespace loudness::tests
