#include "store/disk/table_list.hpp"

#include "store/disk/checksum.hpp"

namespace tact::lmdb {

MDB_dbi table_list::find(std::string_view name) const noexcept {
  for (MDB_dbi t = first; t < size_; ++t) {
    if (tables_[t].is_open && tables_[t].name == name) return t;
  }
  return 0;
}

void table_list::add(MDB_dbi number, std::string_view name) {
  open_table& t = tables_[number];
  t.name = name;
  t.checksum = crc32c(0, name);
  t.is_open = true;
}

}  // namespace tact::lmdb
