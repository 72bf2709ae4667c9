// The header of a store file: a record in LMDB's main table, beside those that name the tables.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "store/disk/environment.hpp"

namespace tact::lmdb {

inline constexpr MDB_dbi main_table = 1;

struct header {
  // The version of the file is LMDB's transaction number and this. A compacted or restored file begins anew with
  // LMDB's number, so this makes up for it.
  std::uint64_t version_ahead = 0;
  // Written with the first commit of an opening, and taken back when the file is closed in order.
  bool is_open = false;

  bool operator==(const header&) const = default;
};

enum class header_state : unsigned char {
  whole,
  none,     // LMDB's main table is empty
  foreign,  // an LMDB file of another program
  newer,    // of a later version of tact
  damaged,
};
struct header_read {
  header_state state = header_state::none;
  header found{};
  int code = 0;  // LMDB's, of what is damaged
};
[[nodiscard]] header_read read_header(MDB_txn* txn);
[[nodiscard]] int write_header(MDB_txn* txn, const header& h);

// The name under which LMDB knows a table, and back. None: the record is no table.
[[nodiscard]] std::string stored_name(std::string_view table);
[[nodiscard]] std::optional<std::string_view> table_name(std::string_view stored);
// `code`: LMDB's, 0 if all were read.
[[nodiscard]] std::vector<std::string> table_names(MDB_txn* txn, int& code);

struct cursor_end {
  void operator()(MDB_cursor* c) const { mdb_cursor_close(c); }
};
// A cursor of a transaction that reads.
using read_cursor = std::unique_ptr<MDB_cursor, cursor_end>;
[[nodiscard]] read_cursor open_cursor(MDB_txn* txn, MDB_dbi table, int& code);

}  // namespace tact::lmdb
