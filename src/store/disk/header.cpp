#include "store/disk/header.hpp"

#include <cstring>

#include "store/disk/checksum.hpp"

namespace tact::lmdb {

namespace {

constexpr std::string_view header_key = "tact store";
constexpr std::string_view table_prefix = "t:";
constexpr std::uint32_t format = 1;

struct stored_header {
  std::uint32_t format = 0;
  std::uint32_t is_open = 0;
  std::uint64_t version_ahead = 0;
  std::uint32_t checksum = 0;
  std::uint32_t unused = 0;
};

std::uint32_t checksum_of(const stored_header& h) noexcept {
  return crc32c(0, {reinterpret_cast<const char*>(&h), offsetof(stored_header, checksum)});
}

header_read without_header(MDB_txn* txn) {
  MDB_stat counts{};
  if (const int code = mdb_stat(txn, main_table, &counts); code != 0) return {header_state::damaged, {}, code};
  return {counts.ms_entries == 0 ? header_state::none : header_state::foreign, {}, 0};
}

}  // namespace

header_read read_header(MDB_txn* txn) {
  MDB_val key = bytes_of(header_key), value{};
  const int code = mdb_get(txn, main_table, &key, &value);
  if (code == MDB_NOTFOUND) return without_header(txn);
  if (code != 0) return {header_state::damaged, {}, code};
  stored_header h;
  if (value.mv_size != sizeof h) return {header_state::damaged, {}, MDB_CORRUPTED};
  std::memcpy(&h, value.mv_data, sizeof h);
  if (h.checksum != checksum_of(h)) return {header_state::damaged, {}, MDB_CORRUPTED};
  if (h.format != format) return {header_state::newer, {}, 0};
  return {header_state::whole, {h.version_ahead, h.is_open != 0}, 0};
}

int write_header(MDB_txn* txn, const header& h) {
  stored_header stored{format, h.is_open ? 1u : 0u, h.version_ahead, 0, 0};
  stored.checksum = checksum_of(stored);
  MDB_val key = bytes_of(header_key), value{sizeof stored, &stored};
  return mdb_put(txn, main_table, &key, &value, 0);
}

std::string stored_name(std::string_view table) { return std::string(table_prefix).append(table); }

std::optional<std::string_view> table_name(std::string_view stored) {
  if (!stored.starts_with(table_prefix)) return std::nullopt;
  return stored.substr(table_prefix.size());
}

read_cursor open_cursor(MDB_txn* txn, MDB_dbi table, int& code) {
  MDB_cursor* opened = nullptr;
  code = mdb_cursor_open(txn, table, &opened);
  return read_cursor(code == 0 ? opened : nullptr);
}

std::vector<std::string> table_names(MDB_txn* txn, int& code) {
  std::vector<std::string> names;
  const read_cursor c = open_cursor(txn, main_table, code);
  MDB_val k{}, v{};
  while (code == 0 && (code = mdb_cursor_get(c.get(), &k, &v, MDB_NEXT)) == 0) {
    if (const auto name = table_name(text_of(k))) names.emplace_back(*name);
  }
  if (code == MDB_NOTFOUND) code = 0;
  return names;
}

}  // namespace tact::lmdb
