#include "table_rows.hpp"

#include <cmath>
#include <utility>

#include "report.hpp"

namespace loudness {

table_rows table_rows::with_file(const std::string& path) const {
  return by_path_.find(path) == nullptr ? with({path}) : *this;
}

table_rows table_rows::with_result(const shared_result& measured) const { return with({measured->path, measured}); }

table_rows table_rows::with(table_row row) const {
  table_rows next = *this;
  if (const shared_row* old = by_path_.find(row.path)) next.sorted_ = next.sorted_.without(sorted(*old));
  const auto shared = std::make_shared<const table_row>(std::move(row));
  next.by_path_ = next.by_path_.with(shared->path, shared);
  next.sorted_ = next.sorted_.with(sorted(shared), {});
  return next;
}

table_rows table_rows::sorted_by(row_order order) const {
  if (order == order_) return *this;
  table_rows next;
  next.order_ = order;
  next.by_path_ = by_path_;
  by_path_.for_each(
      [&](const std::string&, const shared_row& row) { next.sorted_ = next.sorted_.with(next.sorted(row), {}); });
  return next;
}

std::optional<std::size_t> table_rows::place_of(const std::string& path) const {
  const shared_row* const row = by_path_.find(path);
  if (row == nullptr) return {};
  return seen_from_end(sorted_.rank(sorted(*row)));
}

std::vector<result> table_rows::results() const {
  std::vector<result> all;
  for (std::size_t place = 0; place < size(); ++place) {
    if (const shared_result& measured = at(place).measured) all.push_back(*measured);
  }
  return all;
}

// Rows without a figure are at the end at which they are seen last.
table_rows::sorted_row table_rows::sorted(const shared_row& row) const noexcept {
  const double value = sort_value(row->measured ? *row->measured : result{}, order_.key);
  const bool is_missing = std::isinf(value);
  return {is_missing && order_.is_turned ? -INFINITY : -value, row};
}

}  // namespace loudness
