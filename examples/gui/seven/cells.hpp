// Cells: a spreadsheet. Double click or Enter edits a cell and shows its formula, Enter again commits, Escape gives up.
#pragma once

#include <FL/Fl.H>
#include <FL/Fl_Box.H>
#include <FL/Fl_Button.H>
#include <FL/Fl_Input.H>
#include <FL/Fl_Table.H>
#include <FL/Fl_Window.H>
#include <FL/fl_draw.H>

#include <map>
#include <string>
#include <utility>
#include <variant>

#include <tact/gui/fltk.hpp>
#include <tact/tact.hpp>

#include "sheet.hpp"

namespace seven {

// The field that lies over a cell while that is edited.
class cell_editor : public Fl_Input {
 public:
  cell_editor() : Fl_Input(0, 0, 0, 0) {
    hide();
    box(FL_BORDER_BOX);
    when(FL_WHEN_ENTER_KEY_ALWAYS);
  }
  // The window would close on the Escape that the field does not take.
  int handle(int event) override {
    if (event != FL_KEYBOARD || Fl::event_key() != FL_Escape) return Fl_Input::handle(event);
    leave();
    return 1;
  }
  void leave() {
    hide();
    parent()->take_focus();
  }
  cells::edit commit() {
    leave();
    return {at, value()};
  }

  cells::position at{};
};

// Shows what the cells have told, and knows nothing of the rest.
class cell_table : public Fl_Table {
 public:
  cell_table(int x, int y, int w, int h) : Fl_Table(x, y, w, h) {
    rows(cells::sheet_rows);
    row_header(1);
    row_header_width(36);
    row_height_all(24);
    cols(cells::sheet_columns);
    col_header(1);
    col_header_height(24);
    col_width_all(112);
    col_resize(1);
    set_selection(0, 0, 0, 0);
    begin();
    editor = new cell_editor;  // FLTK deletes it with the table
    end();
  }

  using Fl_Table::show;
  void show(const cells::evaluated& m) {
    auto& shown = shown_[m.at];
    if (m.edit < shown.edit) return;
    shown = m;
    redraw();
  }
  void show(const cells::entered& m) { entered_[m.at] = m.text; }
  [[nodiscard]] std::string text_at(cells::position p) const { return cells::text_of(value_at(p)); }
  // The upper left corner of a cell, seen from that of the table, when the cell is on the screen.
  [[nodiscard]] std::pair<int, int> place_of(cells::position p) {
    int x = 0, y = 0, w = 0, h = 0;
    find_cell(CONTEXT_CELL, p.row, p.column, x, y, w, h);
    return {x - this->x(), y - this->y()};
  }

  int handle(int event) override {
    const bool elsewhere = event == FL_PUSH || event == FL_MOUSEWHEEL;
    if (elsewhere && editor->visible() && !Fl::event_inside(editor)) editor->do_callback();
    const bool begins = event == FL_KEYBOARD && Fl::focus() == this && Fl::event_key() == FL_Enter;
    if (begins) return edit_selected();
    const int taken = Fl_Table::handle(event);
    if (event == FL_PUSH && Fl::event_clicks() > 0 && !editor->visible() && is_on_cell()) return edit_selected();
    return taken;
  }

  cell_editor* editor;

 protected:
  void draw_cell(TableContext context, int row, int column, int x, int y, int w, int h) override {
    switch (context) {
      case CONTEXT_STARTPAGE:
        fl_font(FL_HELVETICA, 13);
        break;
      case CONTEXT_COL_HEADER:
        draw_header(std::string(1, static_cast<char>('A' + column)), x, y, w, h);
        break;
      case CONTEXT_ROW_HEADER:
        draw_header(std::to_string(row), x, y, w, h);
        break;
      case CONTEXT_CELL:
        draw_content({column, row}, x, y, w, h);
        break;
      default:
        break;
    }
  }

 private:
  [[nodiscard]] cells::cell_value value_at(cells::position p) const {
    const auto found = shown_.find(p);
    return found == shown_.end() ? cells::cell_value() : found->second.value;
  }
  static void draw_header(const std::string& text, int x, int y, int w, int h) {
    fl_push_clip(x, y, w, h);
    fl_draw_box(FL_THIN_UP_BOX, x, y, w, h, FL_BACKGROUND_COLOR);
    fl_color(FL_FOREGROUND_COLOR);
    fl_draw(text.c_str(), x, y, w, h, FL_ALIGN_CENTER);
    fl_pop_clip();
  }
  void draw_content(cells::position p, int x, int y, int w, int h) {
    if (editor->visible() && editor->at == p) return;
    const cells::cell_value value = value_at(p);
    fl_push_clip(x, y, w, h);
    fl_rectf(x, y, w, h, is_selected(p.row, p.column) != 0 ? fl_rgb_color(205, 225, 255) : FL_WHITE);
    fl_color(std::holds_alternative<cells::formula_error>(value) ? FL_RED : FL_BLACK);
    const Fl_Align side = std::holds_alternative<double>(value) ? FL_ALIGN_RIGHT : FL_ALIGN_LEFT;
    fl_draw(cells::text_of(value).c_str(), x + 4, y, w - 8, h, side, nullptr, 0);
    fl_color(FL_LIGHT2);
    fl_rect(x - 1, y - 1, w + 1, h + 1);
    fl_pop_clip();
  }

  bool is_on_cell() {
    int row = 0, column = 0;
    ResizeFlag resizing = RESIZE_NONE;
    return cursor2rowcol(row, column, resizing) == CONTEXT_CELL;
  }
  int edit_selected() {
    int row = 0, column = 0, last_row = 0, last_column = 0;
    get_selection(row, column, last_row, last_column);
    editor->at = {column, row};
    int x = 0, y = 0, w = 0, h = 0;
    if (find_cell(CONTEXT_CELL, row, column, x, y, w, h) != 0) return 0;
    editor->resize(x, y, w, h);
    editor->value(entered_[editor->at].c_str());
    editor->position(editor->size(), 0);  // what is typed replaces it
    editor->show();
    editor->take_focus();
    redraw();
    return 1;
  }

  std::map<cells::position, cells::evaluated> shown_;
  std::map<cells::position, std::string> entered_;
};

class cells_window : public Fl_Window {
 public:
  cells_window(tact::engine& engine, tact::gui::fltk_loop& loop) : Fl_Window(640, 360, "Cells") {
    end();
    resizable(table);
    help.align(FL_ALIGN_LEFT | FL_ALIGN_INSIDE);
    const tact::gui::fltk_widget<cells_window> me(*this);
    const auto view = engine.create(tact::behavior<cells::sheet_view>{[me](auto&, const cells::evaluated& m) {
                                                                        if (me) me->table.show(m);
                                                                      },
                                                                      [me](auto&, const cells::entered& m) {
                                                                        if (me) me->table.show(m);
                                                                      },
                                                                      [me](auto&, const cells::history& m) {
                                                                        if (me) me->show(m);
                                                                      }},
                                    tact::on_loop(loop));
    const auto sheet = engine.create(cells::empty_sheet(view));
    loop.sends(
        *table.editor, [](cell_editor& e) { return e.commit(); }, sheet);
    loop.sends(
        undo, [](Fl_Button&) { return cells::undo{}; }, sheet);
    show(cells::history{0});
  }

  using Fl_Window::show;
  void show(const cells::history& m) {
    if (m.edits == 0) {
      undo.deactivate();
    } else {
      undo.activate();
    }
  }

  Fl_Button undo{10, 10, 80, 28, "Undo"};
  Fl_Box help{100, 10, 530, 28, "Double click or Enter edits a cell: text, 4.5, =A0*2, =sum(A0:B9, 1)"};
  cell_table table{10, 48, 620, 302};
};

}  // namespace seven
