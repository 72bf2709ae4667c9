// The tables of a file that are open, by their number, which is LMDB's handle.
#pragma once

#include <cassert>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "store/disk/environment.hpp"

namespace tact::lmdb {

struct open_table {
  std::string name{};
  std::uint32_t checksum = 0;  // of the name
  bool is_open = false;
};

// Thread safety: as for a constant, but for add: one thread at a time, before any has the number.
class table_list {
 public:
  explicit table_list(unsigned tables_max) : size_(tables_max + first), tables_(new open_table[size_]) {}

  [[nodiscard]] bool has(MDB_dbi number) const noexcept { return number < size_ && tables_[number].is_open; }
  [[nodiscard]] const open_table& operator[](MDB_dbi number) const noexcept {
    assert(has(number));
    return tables_[number];
  }
  // None of this name is open: 0.
  [[nodiscard]] MDB_dbi find(std::string_view name) const noexcept;
  void add(MDB_dbi number, std::string_view name);

 private:
  static constexpr unsigned first = 2;  // LMDB's list of free pages and its main table lie in front

  const unsigned size_;
  std::unique_ptr<open_table[]> tables_;
};

}  // namespace tact::lmdb
