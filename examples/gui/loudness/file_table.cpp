#include "file_table.hpp"

#include <FL/Fl.H>
#include <FL/fl_draw.H>

#include <algorithm>
#include <array>
#include <cstdio>
#include <string_view>
#include <utility>

#include "report.hpp"

namespace loudness {
namespace {

constexpr int figure_columns = 5;

// In the order of sort_key.
constexpr std::array<const char*, 1 + figure_columns> heads{"File",       "Loudness, LUFS", "Range, LU",
                                                            "Peak, dBTP", "PLR, LU",        "Duration"};

const Fl_Color missing_color = fl_rgb_color(140, 140, 140);
const Fl_Color failure_color = fl_rgb_color(180, 30, 30);
const Fl_Color selected_color = fl_rgb_color(205, 225, 255);
const Fl_Color striped_color = fl_rgb_color(246, 246, 246);

std::string figure_text(const figure& shown) {
  if (!shown.is_measured()) return std::string(to_string(shown.kind));
  char text[32];
  std::snprintf(text, sizeof text, "%.1f", shown.value);
  return text;
}

std::string cell_text(const measurement& m, sort_key key) {
  if (key == sort_key::loudness) return figure_text(m.integrated);
  if (key == sort_key::range) return figure_text(m.range);
  if (key == sort_key::peak) return figure_text(m.true_peak);
  if (key == sort_key::ratio) return figure_text(peak_to_loudness(m));
  return duration_text(m.duration_s) + (m.cut_short.empty() ? "" : " cut short");
}

}  // namespace

file_table::file_table(int x, int y, int w, int h) : Fl_Table(x, y, w, h) {
  cols(1 + figure_columns);
  col_header(1);
  col_header_height(26);
  col_resize(1);
  when(FL_WHEN_NEVER);  // heads call when they are pressed, and not once more when they are released
  for (int column = 1; column <= figure_columns; ++column) col_width(column, figure_width);
  resize(x, y, w, h);
  end();
}

table_rows file_table::show(const survey_view& view) {
  folder_ = view.folder;
  table_rows before = std::exchange(rows_, view.rows);
  if (!rows_.place_of(selected_)) selected_.clear();
  if (const int count = static_cast<int>(rows_.size()); count != rows()) rows(count);
  redraw();
  return before;
}

// The column of the files takes what is left.
void file_table::resize(int x, int y, int w, int h) {
  Fl_Table::resize(x, y, w, h);
  int figures = 0;
  for (int column = 1; column <= figure_columns; ++column) figures += col_width(column);
  col_width(0, std::max(120, w - figures - Fl::scrollbar_size() - 4));
}

int file_table::handle(int event) {
  if (event == FL_PUSH && Fl::event_button() == FL_LEFT_MOUSE) {
    int row = 0;
    int column = 0;
    ResizeFlag resizing = RESIZE_NONE;
    if (cursor2rowcol(row, column, resizing) == CONTEXT_CELL) {
      take_focus();
      select(row);
      return 1;
    }
  }
  if (event == FL_KEYBOARD && select_by_key(Fl::event_key())) return 1;
  return Fl_Table::handle(event);
}

void file_table::select(int row) {
  const std::string& path = rows_.at(static_cast<std::size_t>(row)).path;
  if (path == selected_) return;
  selected_ = path;
  redraw();
  do_callback(CONTEXT_CELL, row, 0);
}

bool file_table::select_by_key(int key) {
  if (rows() == 0) return false;
  const auto place = rows_.place_of(selected_);
  const int page = std::max(1, (tih - col_header_height()) / row_height(0) - 1);
  int row = place ? static_cast<int>(*place) : -1;
  if (key == FL_Up) {
    row -= 1;
  } else if (key == FL_Down) {
    row += 1;
  } else if (key == FL_Page_Up) {
    row -= page;
  } else if (key == FL_Page_Down) {
    row += page;
  } else if (key == FL_Home) {
    row = 0;
  } else if (key == FL_End) {
    row = rows() - 1;
  } else {
    return false;
  }
  row = std::clamp(row, 0, rows() - 1);
  select(row);
  int first = 0;
  int last = 0;
  int ignored = 0;
  visible_cells(first, last, ignored, ignored);
  if (row <= first) row_position(row);
  if (row >= last) row_position(std::max(0, row - page));
  return true;
}

void file_table::draw_cell(TableContext context, int row, int column, int x, int y, int w, int h) {
  if (context == CONTEXT_STARTPAGE) fl_font(FL_HELVETICA, 13);
  if (context != CONTEXT_COL_HEADER && context != CONTEXT_CELL) return;
  fl_push_clip(x, y, w, h);
  if (context == CONTEXT_COL_HEADER) {
    draw_head(column, x, y, w, h);
  } else {
    draw_content(row, column, x, y, w, h);
  }
  fl_pop_clip();
}

// The head by which the table is sorted has an arrow, up for the least first.
void file_table::draw_head(int column, int x, int y, int w, int h) const {
  fl_draw_box(FL_THIN_UP_BOX, x, y, w, h, FL_BACKGROUND_COLOR);
  fl_color(FL_BLACK);
  const row_order order = rows_.order();
  const bool is_sorted = static_cast<int>(order.key) == column;
  fl_draw(heads[static_cast<std::size_t>(column)], x + 8, y, w - 16, h, column == 0 ? FL_ALIGN_LEFT : FL_ALIGN_RIGHT,
          nullptr, 0);
  if (!is_sorted) return;
  const bool is_up = (order.key == sort_key::path) != order.is_turned;
  const int middle = x + w / 2;
  const int base = is_up ? y + 6 : y + 2;
  const int tip = is_up ? y + 2 : y + 6;
  fl_color(fl_rgb_color(40, 95, 175));
  fl_polygon(middle - 5, base, middle + 5, base, middle, tip);
}

void file_table::draw_content(int row, int column, int x, int y, int w, int h) {
  const table_row& shown = rows_.at(static_cast<std::size_t>(row));
  const bool is_selected = shown.path == selected_;
  fl_rectf(x, y, w, h, is_selected ? selected_color : row % 2 == 1 ? striped_color : FL_WHITE);
  fl_color(FL_BLACK);
  if (column == 0) {
    fl_draw(path_text(shown).c_str(), x + 8, y, w - 12, h, FL_ALIGN_LEFT, nullptr, 0);
  } else if (!shown.measured) {
    fl_color(missing_color);
    fl_draw("\xe2\x80\x93", x, y, w - 8, h, FL_ALIGN_RIGHT, nullptr, 0);
  } else if (!shown.measured->figures) {
    // The reason goes through all columns of figures, and each cell draws its part.
    int left = 0;
    int ignored = 0;
    find_cell(CONTEXT_CELL, row, 1, left, ignored, ignored, ignored);
    fl_color(failure_color);
    fl_draw(printable(shown.measured->failure).c_str(), left + 8, y, figure_columns * figure_width, h, FL_ALIGN_LEFT,
            nullptr, 0);
  } else {
    const auto key = static_cast<sort_key>(column);
    const bool is_there = key == sort_key::duration || sort_value(*shown.measured, key) > -HUGE_VAL;
    if (!is_there) fl_color(missing_color);
    if (key == sort_key::duration && is_cut_short(*shown.measured)) fl_color(failure_color);
    fl_draw(cell_text(*shown.measured->figures, key).c_str(), x, y, w - 8, h, FL_ALIGN_RIGHT, nullptr, 0);
  }
}

// As seen from the folder.
std::string file_table::path_text(const table_row& row) const {
  if (folder_.empty()) return printable(row.path);
  const std::string_view path = row.path;
  const std::string inside = folder_ == "/" ? folder_ : folder_ + '/';
  return printable(path.starts_with(inside) ? path.substr(inside.size()) : path);
}

}  // namespace loudness
