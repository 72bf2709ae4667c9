#include "store/disk/open_file.hpp"

#include <algorithm>
#include <cstring>

#include "store/disk/checksum.hpp"
#include "store/disk/header.hpp"

namespace tact::lmdb {

namespace {

environment_limits limits_of(const store_options& o) noexcept {
  return {o.map_bytes, o.readers_max, o.tables_max, o.read_only};
}

[[noreturn]] void throw_damaged(const open_file& in, MDB_dbi table, std::string_view key) {
  throw store_error(
      store_problem::damaged,
      entry_name(in.path, in.tables[table].name, key) +
          ": the value is not what was written (its checksum differs). `tact-store check FILE` looks at all "
          "entries; restore a backup with `tact-store restore`");
}

}  // namespace

open_file::open_file(const std::filesystem::path& at, const store_options& opened_with)
    : path(at), options(opened_with), health(at), env(at, limits_of(opened_with)), tables(env.tables_max()) {}

std::uint64_t open_file::version_of(MDB_txn* txn) const {
  std::uint64_t ahead = version_ahead;
  if (options.read_only) {
    const header_read now = read_header(txn);
    if (now.state == header_state::whole) ahead = now.found.version_ahead;
  }
  return mdb_txn_id(txn) + ahead;
}

std::string printable(std::string_view bytes) {
  const auto is_text = [](char c) { return c >= ' ' && c <= '~' && c != '"' && c != '\\'; };
  if (std::all_of(bytes.begin(), bytes.end(), is_text)) return '"' + std::string(bytes) + '"';
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text = "0x";
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    text += digits[byte >> 4];
    text += digits[byte & 0xf];
  }
  return text;
}

std::string entry_name(const std::filesystem::path& file, std::string_view table, std::string_view key) {
  return file.string() + ", table " + printable(table) + ", key " + printable(key);
}

std::string_view checked_value(const open_file& in, MDB_dbi table, std::string_view key, std::string_view stored) {
  std::uint32_t written = 0;
  if (stored.size() < checksum_bytes) throw_damaged(in, table, key);
  std::memcpy(&written, stored.data(), checksum_bytes);
  const std::string_view value = stored.substr(checksum_bytes);
  if (written != entry_checksum(in.tables[table].checksum, key, value)) throw_damaged(in, table, key);
  return value;
}

}  // namespace tact::lmdb
