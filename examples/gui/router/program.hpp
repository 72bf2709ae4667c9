// The program: two windows, and the actors between them.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include <tact/gui/fltk.hpp>
#include <tact/tact.hpp>

#include "graph.hpp"
#include "graph_window.hpp"
#include "paint_window.hpp"
#include "recording.hpp"
#include "svg.hpp"
#include "watcher.hpp"

namespace router {

struct program_options {
  std::filesystem::path record{};  // to that file
  std::filesystem::path save{};    // the picture, to that file
  recording play{};                // in place of the events of the window
  router::pace pace = router::pace::as_recorded;
};

class program {
 public:
  // Throws recording_error when the file for a recording cannot be made.
  program(tact::engine& engine, tact::gui::fltk_loop& loop, const program_options& options);

  paint_window window;
  graph_window watched;

 private:
  [[nodiscard]] tact::ref<picture_ptr> make_saver(const std::filesystem::path& file) const;
  [[nodiscard]] tact::ref<event_ptr> make_recorder(const std::filesystem::path& file) const;

  static constexpr int width = 620;
  static constexpr int height = 440;

  tact::engine& engine_;
  tact::ref<notice> notices_;

 public:
  graph actors;
};

}  // namespace router
