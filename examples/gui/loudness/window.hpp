// The window: it sends what the person asks for, and shows what the actors tell.
#pragma once

#include <FL/Fl_Button.H>
#include <FL/Fl_Double_Window.H>
#include <FL/Fl_Group.H>
#include <FL/Fl_Input.H>
#include <FL/Fl_Output.H>
#include <FL/Fl_Progress.H>

#include <memory>
#include <string>

#include <tact/gui/fltk.hpp>
#include <tact/tact.hpp>

#include "curve_plot.hpp"
#include "desk.hpp"
#include "file_table.hpp"
#include "tracer.hpp"

namespace loudness {

// Where to search, and the way to choose it.
class folder_line : public Fl_Group {
 public:
  folder_line(int x, int y, int w);

  Fl_Input path;
  Fl_Button choose;
  Fl_Button measure;
};

// Which files are shown.
class search_line : public Fl_Group {
 public:
  search_line(int x, int y, int w);

  Fl_Input text;
  Fl_Button kept;  // shows what was kept
};

// How far the work is, and what can be done about it.
class work_line : public Fl_Group {
 public:
  work_line(int x, int y, int w);
  void show(const survey_view& view);
  using Fl_Group::show;

  Fl_Progress bar;
  Fl_Button pause;
  Fl_Button cancel;
  Fl_Button report;
};

class window : public Fl_Double_Window {
 public:
  // Null: results are not kept.
  window(tact::engine& engine, tact::gui::fltk_loop& loop, const std::shared_ptr<const archive>& kept = nullptr);
  ~window() override;

  void open(const std::string& folder);
  void show(const survey_view& view);
  void show(const notice& m);
  using Fl_Double_Window::show;
  // Files and folders may be dropped anywhere.
  int handle(int event) override;

  folder_line folder;
  search_line search;
  work_line work;
  file_table table;
  curve_plot plot;
  Fl_Output message;  // what went wrong, or is done

 private:
  void connect(tact::gui::fltk_loop& loop);

  // To end thousands of rows takes milliseconds, so a worker does that.
  struct discarded {
    table_rows rows;
  };

  int survey_ = 0;
  tact::ref<desk> desk_;
  tact::ref<discarded> bin_;
  tact::ref<tracer> tracer_;
};

}  // namespace loudness
