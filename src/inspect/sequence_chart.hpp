// What came of one message, as the rows and columns of a sequence chart.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "tact/inspect/trace.hpp"

namespace tact::inspect {

// A column is an actor, or what is outside of all of them. A row is a send, from a column to a column, or a note over
// one. Thread safety: constant once it is made.
class sequence_chart {
 public:
  struct column {
    std::uint64_t actor = 0;  // 0: a thread outside
    std::string_view type{};

    // "account@7f3a40#12", or "outside".
    [[nodiscard]] std::string name() const;
  };
  struct row {
    enum class kind : unsigned char { send, failure, text } what = kind::send;
    std::size_t from = 0;  // the column of the sender, or the one that the note is over
    std::size_t to = 0;
    const event* of = nullptr;
  };

  // At most so many rows; the others are counted. Throws std::bad_alloc.
  sequence_chart(const trace& of, std::uint64_t message, std::size_t most);

  [[nodiscard]] const std::vector<column>& columns() const noexcept { return columns_; }
  [[nodiscard]] const std::vector<row>& rows() const noexcept { return rows_; }
  // "2 more steps are not shown"; empty: all are.
  [[nodiscard]] std::string left_out() const;

 private:
  void look_at(const event& e, std::uint64_t first);
  [[nodiscard]] std::size_t column_of(const column& c);
  void add(row::kind what, std::size_t from, std::size_t to, const event& e);

  const std::size_t most_;
  std::vector<column> columns_;
  std::vector<row> rows_;
  std::size_t left_out_ = 0;
  std::unordered_map<std::uint64_t, std::size_t> numbers_;  // of the columns, by the actor
  std::unordered_map<std::uint64_t, column> handled_by_;    // the messages of the task, and the actor of each
};

// The text of a row: "deposit 3.17 (undone)", "failed at 3.17", or a text of the user's.
[[nodiscard]] std::string text_of(const sequence_chart::row& r);

}  // namespace tact::inspect
