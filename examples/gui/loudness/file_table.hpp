// The table of files. It shows what it is given, row by row as they are seen, and knows which file is selected.
#pragma once

#include <FL/Fl_Table.H>

#include <string>

#include "ledger.hpp"

namespace loudness {

// Its callback is called for a click on a head, and for another selection: callback_context() says which.
class file_table : public Fl_Table {
 public:
  static constexpr int figure_width = 104;  // of a column

  file_table(int x, int y, int w, int h);

  // Returns what was shown until now.
  [[nodiscard]] table_rows show(const survey_view& view);
  using Fl_Table::show;

  [[nodiscard]] const table_rows& shown_rows() const noexcept { return rows_; }
  // Empty: none.
  [[nodiscard]] const std::string& selected() const noexcept { return selected_; }
  // Of the head that was clicked.
  [[nodiscard]] sort_key clicked_key() { return static_cast<sort_key>(callback_col()); }

  int handle(int event) override;
  void resize(int x, int y, int w, int h) override;

 protected:
  void draw_cell(TableContext context, int row, int column, int x, int y, int w, int h) override;

 private:
  void select(int row);
  [[nodiscard]] bool select_by_key(int key);
  void draw_head(int column, int x, int y, int w, int h) const;
  void draw_content(int row, int column, int x, int y, int w, int h);
  [[nodiscard]] std::string path_text(const table_row& row) const;

  std::string folder_;
  table_rows rows_;
  std::string selected_;
};

}  // namespace loudness
