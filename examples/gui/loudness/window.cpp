#include "window.hpp"

#include <FL/Fl.H>
#include <FL/Fl_Native_File_Chooser.H>

#include <cstddef>
#include <optional>

#include "dropped_paths.hpp"

namespace loudness {
namespace {

constexpr int width = 900;
constexpr int height = 660;
constexpr int margin = 10;
constexpr int line_height = 30;
constexpr int button_width = 96;
constexpr int plot_height = 180;
constexpr int message_height = 24;

void allow(Fl_Widget& w, bool is_allowed) {
  if (is_allowed) {
    w.activate();
  } else {
    w.deactivate();
  }
}

// Nothing: the person has given it up.
std::optional<std::string> ask_for_path(Fl_Native_File_Chooser& chooser) {
  return chooser.show() == 0 ? std::optional<std::string>(chooser.filename()) : std::nullopt;
}

std::optional<std::string> ask_for_folder(const std::string& begin) {
  Fl_Native_File_Chooser chooser(Fl_Native_File_Chooser::BROWSE_DIRECTORY);
  chooser.title("Folder with sound files");
  chooser.directory(begin.c_str());
  return ask_for_path(chooser);
}

std::optional<std::string> ask_for_report_file(const std::string& folder) {
  Fl_Native_File_Chooser chooser(Fl_Native_File_Chooser::BROWSE_SAVE_FILE);
  chooser.title("Write the table to a file: *.json, or a text");
  chooser.options(Fl_Native_File_Chooser::SAVEAS_CONFIRM);
  chooser.preset_file((folder + "/loudness.json").c_str());
  return ask_for_path(chooser);
}

}  // namespace

folder_line::folder_line(int x, int y, int w)
    : Fl_Group(x, y, w, line_height),
      path(x + 60, y, w - 60 - 2 * (button_width + margin), line_height, "Folder:"),
      choose(x + w - 2 * button_width - margin, y, button_width, line_height, "Choose\xe2\x80\xa6"),
      measure(x + w - button_width, y, button_width, line_height, "Measure") {
  path.when(FL_WHEN_ENTER_KEY_ALWAYS);
  resizable(path);
  end();
}

search_line::search_line(int x, int y, int w)
    : Fl_Group(x, y, w, line_height),
      text(x + 60, y, w - 60 - button_width - margin, line_height, "Find:"),
      kept(x + w - button_width, y, button_width, line_height, "Kept") {
  text.when(FL_WHEN_CHANGED);
  kept.tooltip("Show all results that were kept, also of files that are gone");
  resizable(text);
  end();
}

work_line::work_line(int x, int y, int w)
    : Fl_Group(x, y, w, line_height),
      bar(x, y, w - 3 * (button_width + margin), line_height),
      pause(x + w - 3 * button_width - 2 * margin, y, button_width, line_height, "Pause"),
      cancel(x + w - 2 * button_width - margin, y, button_width, line_height, "Cancel"),
      report(x + w - button_width, y, button_width, line_height, "Export\xe2\x80\xa6") {
  bar.maximum(1.0F);
  bar.selection_color(fl_rgb_color(150, 190, 240));
  for (Fl_Widget* button : {&pause, &cancel, &report}) button->deactivate();
  resizable(bar);
  end();
}

void work_line::show(const survey_view& view) {
  bar.value(static_cast<float>(view.sum.is_complete() ? 1.0 : view.sum.share()));
  bar.copy_label(progress_text(view).c_str());
  pause.label(view.phase == survey_phase::paused ? "Go on" : "Pause");
  allow(pause, !view.is_over());
  allow(cancel, !view.is_over());
  allow(report, view.rows.size() > 0);
}

window::window(tact::engine& engine, tact::gui::fltk_loop& loop, const std::shared_ptr<const archive>& kept)
    : Fl_Double_Window(width, height, "Loudness"),
      folder(margin, margin, width - 2 * margin),
      search(margin, 2 * margin + line_height, width - 2 * margin),
      work(margin, 3 * margin + 2 * line_height, width - 2 * margin),
      table(margin, 4 * margin + 3 * line_height, width - 2 * margin,
            height - 6 * margin - 3 * line_height - plot_height - message_height),
      plot(margin, height - margin - message_height - plot_height, width - 2 * margin, plot_height),
      message(margin, height - message_height - margin / 2, width - 2 * margin, message_height) {
  end();
  message.box(FL_FLAT_BOX);
  message.color(FL_BACKGROUND_COLOR);
  message.textsize(13);
  resizable(table);
  size_range(640, 460);
  allow(search.kept, kept != nullptr);

  const auto shown = loop.shows<survey_view>(*this, [](window& w, const survey_view& m) { w.show(m); });
  const auto told = loop.shows<notice>(*this, [](window& w, const notice& m) { w.show(m); });
  const auto curve = loop.shows<curve_view>(
      plot, [](curve_plot& p, const curve_begun& m) { p.show(m); },
      [](curve_plot& p, const curve_piece& m) { p.show(m); });
  const auto writer = engine.create(make_report_writer(told), tact::blocking);
  bin_ = engine.create(tact::behavior<discarded>{[](auto&, const discarded&) {}});
  desk_ = engine.create(make_desk({engine, shown, told, writer, kept}));
  tracer_ = engine.spawn<tracer>(tact::heavy, curve, kept);
  connect(loop);
}

// What goes on ends with the window.
window::~window() {
  desk_ | loudness::cancel{};
  tracer_ | trace{};
}

void window::connect(tact::gui::fltk_loop& loop) {
  loop.does(*this, [](window& w) {
    const bool is_escape = Fl::event() == FL_SHORTCUT && Fl::event_key() == FL_Escape;  // too easily pressed
    if (!is_escape) w.hide();
  });
  const auto open_typed = [this](Fl_Widget&) { open(folder.path.value()); };
  loop.does(folder.path, open_typed);
  loop.does(folder.measure, open_typed);
  loop.does(folder.choose, [this](Fl_Button&) {
    if (const auto chosen = ask_for_folder(folder.path.value())) open(*chosen);
  });
  loop.sends(
      search.text, [](Fl_Input& i) { return loudness::search{i.value()}; }, desk_);
  loop.sends(
      search.kept, [](Fl_Button&) { return show_kept{}; }, desk_);
  loop.sends(
      work.pause, [](Fl_Button&) { return pause_or_go_on{}; }, desk_);
  loop.sends(
      work.cancel, [](Fl_Button&) { return loudness::cancel{}; }, desk_);
  loop.does(work.report, [this](Fl_Button&) {
    if (auto chosen = ask_for_report_file(folder.path.value())) desk_ | export_to{*std::move(chosen)};
  });
  loop.does(table, [this](file_table& t) {
    if (t.callback_context() == Fl_Table::CONTEXT_COL_HEADER) desk_ | sort_by{t.clicked_key()};
    if (t.callback_context() == Fl_Table::CONTEXT_CELL) tracer_ | trace{t.selected()};
  });
}

int window::handle(int event) {
  switch (event) {
    case FL_DND_ENTER:
    case FL_DND_DRAG:
      Fl::belowmouse(this);  // what is dropped comes to it, and not to a field of text
      return 1;
    case FL_DND_LEAVE:
    case FL_DND_RELEASE:
      return 1;
    case FL_PASTE:
      desk_ | open_dropped{dropped_paths({Fl::event_text(), static_cast<std::size_t>(Fl::event_length())})};
      return 1;
    default:
      return Fl_Double_Window::handle(event);
  }
}

void window::open(const std::string& path) {
  folder.path.value(path.c_str());
  desk_ | open_folder{path};
}

void window::show(const survey_view& view) {
  if (view.number < survey_) return;  // of a survey that was replaced
  work.show(view);
  bin_ | discarded{table.show(view)};
  if (view.number > survey_) tracer_ | trace{};
  survey_ = view.number;
}

void window::show(const notice& m) {
  message.textcolor(m.is_error ? fl_rgb_color(180, 30, 30) : FL_FOREGROUND_COLOR);
  message.value(m.text.c_str());
  message.position(0);
}

}  // namespace loudness
