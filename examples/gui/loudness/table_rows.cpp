#include "table_rows.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "report.hpp"
#include "text_search.hpp"

namespace loudness {

table_rows table_rows::with_file(const std::string& path) const {
  return by_path_.contains(path) ? *this : with({path});
}

table_rows table_rows::with_result(const shared_result& measured) const { return with({measured->path, measured}); }

table_rows table_rows::with(table_row row) const {
  table_rows next = *this;
  const bool is_shown = has_text(row.path, text_);
  if (const auto old = by_path_.find(row.path); is_shown && old != by_path_.end()) {
    next.sorted_ = std::move(next.sorted_).erase(sorted(old->second));
  }
  const auto shared = std::make_shared<const table_row>(std::move(row));
  next.by_path_ = std::move(next.by_path_).insert_or_assign(shared->path, shared);
  if (is_shown) next.sorted_ = std::move(next.sorted_).insert(sorted(shared));
  return next;
}

table_rows table_rows::sorted_by(row_order order) const { return order == order_ ? *this : arranged(order, text_); }

table_rows table_rows::with_text(std::string text) const {
  return text == text_ ? *this : arranged(order_, std::move(text));
}

table_rows table_rows::arranged(row_order order, std::string text) const {
  table_rows next;
  next.order_ = order;
  next.text_ = std::move(text);
  next.by_path_ = by_path_;
  tact::transient_set<sorted_row> rows;
  for (const auto& [path, row] : by_path_) {
    if (has_text(path, next.text_)) rows.insert(next.sorted(row));
  }
  next.sorted_ = std::move(rows).persistent();
  return next;
}

std::optional<std::size_t> table_rows::place_of(const std::string& path) const {
  const auto row = by_path_.find(path);
  if (row == by_path_.end() || !has_text(path, text_)) return {};
  return seen_from_end(sorted_.rank(sorted(row->second)));
}

std::vector<result> table_rows::results() const {
  std::vector<result> all;
  for (const sorted_row& row : sorted_) {
    if (const shared_result& measured = row.row->measured) all.push_back(*measured);
  }
  if (order_.is_turned) std::ranges::reverse(all);
  return all;
}

// Rows without a figure are at the end at which they are seen last.
table_rows::sorted_row table_rows::sorted(const shared_row& row) const noexcept {
  const double value = sort_value(row->measured ? *row->measured : result{}, order_.key);
  const bool is_missing = std::isinf(value);
  return {is_missing && order_.is_turned ? -INFINITY : -value, row};
}

}  // namespace loudness
