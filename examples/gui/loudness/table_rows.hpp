// The rows of the table, in the order in which they are shown: an immutable value. A change shares all but O(log n)
// with what was before, so each result may make a new one, and the window may keep an old one while it draws.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <tact/data/map.hpp>
#include <tact/data/set.hpp>

#include "catalog.hpp"
#include "options.hpp"
#include "result.hpp"

namespace loudness {

// A file, or a folder that could not be searched.
struct table_row {
  std::string path;
  shared_result measured{};  // null: not yet
};

// As sort_results orders, or turned round; what has no figure comes last either way.
struct row_order {
  sort_key key = sort_key::path;
  bool is_turned = false;

  friend bool operator==(const row_order&, const row_order&) = default;
};

class table_rows {
 public:
  // A file that is known changes nothing.
  [[nodiscard]] table_rows with_file(const std::string& path) const;
  [[nodiscard]] table_rows with_result(const shared_result& measured) const;
  [[nodiscard]] table_rows sorted_by(row_order order) const;
  // Only those whose path has the text are rows; those that come later, too. Empty: all.
  [[nodiscard]] table_rows with_text(std::string text) const;

  [[nodiscard]] std::size_t size() const noexcept { return sorted_.size(); }
  // REQUIRES: place < size()
  [[nodiscard]] const table_row& at(std::size_t place) const noexcept {
    return *sorted_.nth(seen_from_end(place))->row;
  }
  // Nothing: there is no such row.
  [[nodiscard]] std::optional<std::size_t> place_of(const std::string& path) const;
  [[nodiscard]] row_order order() const noexcept { return order_; }
  // What was measured, in this order.
  [[nodiscard]] std::vector<result> results() const;

 private:
  using shared_row = std::shared_ptr<const table_row>;
  struct sorted_row {
    double value;  // the least comes first
    shared_row row;

    friend bool operator<(const sorted_row& a, const sorted_row& b) noexcept {
      return a.value != b.value ? a.value < b.value : a.row->path < b.row->path;
    }
  };

  [[nodiscard]] table_rows with(table_row row) const;
  [[nodiscard]] table_rows arranged(row_order order, std::string text) const;
  [[nodiscard]] sorted_row sorted(const shared_row& row) const noexcept;
  [[nodiscard]] std::size_t seen_from_end(std::size_t place) const noexcept {
    return order_.is_turned ? size() - 1 - place : place;
  }

  tact::map<std::string, shared_row> by_path_;
  tact::set<sorted_row> sorted_;
  row_order order_;
  std::string text_{};
};

}  // namespace loudness
