// A version of a store's file with changes over it that are not in the file: what a transaction sees.
#include "tact/detail/begin.hpp"  // first
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tact/data/map.hpp"
#include "tact/store/detail/disk.hpp"

namespace tact::detail {

// A key of one table, as it is looked for.
struct table_key_view {
  table_number table = 0;
  std::string_view key{};
};
struct table_key {
  table_number table = 0;
  std::string key{};
};
// In the order of the file: that of memcmp.
struct table_key_less {
  using is_transparent = void;
  template <class A, class B>
  [[nodiscard]] bool operator()(const A& a, const B& b) const noexcept {
    return a.table != b.table ? a.table < b.table : std::string_view(a.key) < std::string_view(b.key);
  }
};
// Keys that get a value, or lose it.
using change_table = tact::map<table_key, std::optional<std::string>, table_key_less>;

// A snapshot of the file, and the changes that were accepted since, which are not in the file yet.
struct byte_reading {
  byte_snapshot in_file{};
  change_table accepted{};
  std::uint64_t order = 0;  // of the last write that it has: see write_order
};

// The keys of a table that a transaction has looked at: those from `from` to `to`, both included. Without `to` all
// from `from` on.
struct read_range {
  table_number table = 0;
  std::string from{};
  std::optional<std::string> to{};
};

// Goes through a table of a snapshot and of the changes over it, in the order of the keys. Both outlive it.
class [[gnu::visibility("default")]] layered_cursor {
 public:
  layered_cursor(const byte_snapshot& in_file, const change_table& over, table_number table);

  // To the first entry whose key is not less. Returns whether there is one.
  bool at_least(std::string_view key);
  // Must be at an entry. Returns whether there is another one.
  bool next();
  // Valid until the cursor moves, or the changes do.
  [[nodiscard]] std::string_view key() const noexcept { return key_; }
  [[nodiscard]] std::string_view value() const noexcept { return value_; }

 private:
  [[nodiscard]] bool settle();

  byte_cursor in_file_;
  const change_table* over_;
  table_number table_;
  bool has_file_entry_ = false;
  bool is_over_ = false;  // the entry comes from the changes
  change_table::iterator changed_{};
  std::string_view key_{};
  std::string_view value_{};
};

// What a transaction reads and changes. It sees its own changes. It may note what it has looked at, so that its changes
// are refused if that is something else meanwhile. Thread safety: one thread at a time.
class [[gnu::visibility("default")]] byte_view {
 public:
  byte_view(const byte_snapshot& in_file, change_table accepted, bool notes_reads)
      : in_file_(std::addressof(in_file)), seen_(std::move(accepted)), notes_reads_(notes_reads) {}

  // Valid until the view is changed.
  [[nodiscard]] std::optional<std::string_view> find(table_number table, std::string_view key);
  // Throws store_error, refused, for a key that is empty or too long.
  void put(table_number table, std::string key, std::string value);
  void erase(table_number table, std::string key);

  // Calls f(key, value) for the entries from `from` on, as they are now, until it returns false.
  template <class F>
  void walk(table_number table, std::string_view from, F f) {
    const change_table now = seen_;
    layered_cursor at(*in_file_, now, table);
    read_range looked{table, std::string(from), std::string(from)};
    bool goes_on = true;
    for (bool is_there = at.at_least(from); is_there && goes_on; is_there = goes_on && at.next()) {
      if (notes_reads_) looked.to = std::string(at.key());
      goes_on = f(at.key(), at.value());
    }
    if (goes_on) looked.to.reset();
    note(std::move(looked));
  }

  [[nodiscard]] const change_table& changes() const noexcept { return own_; }
  [[nodiscard]] const std::vector<read_range>& reads() const noexcept { return reads_; }
  [[nodiscard]] std::vector<read_range> take_reads() noexcept { return std::move(reads_); }

 private:
  void note(read_range looked);
  void change(table_number table, std::string key, std::optional<std::string> value);

  const byte_snapshot* in_file_;
  change_table seen_;  // over the file
  change_table own_{};
  std::vector<read_range> reads_{};
  bool notes_reads_;
};

}  // namespace tact::detail

#include "tact/detail/end.hpp"  // last
