#include "store/disk/group.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

#include "store/disk/checksum.hpp"
#include "store/disk/header.hpp"

namespace tact::lmdb {

namespace {

constexpr std::size_t value_bytes_max = std::numeric_limits<std::uint32_t>::max() - checksum_bytes;

// True: the file has this already.
int is_there(const open_file& file, MDB_txn* txn, const byte_change& c, bool& same) {
  MDB_val key = bytes_of(c.key), found{};
  const int code = mdb_get(txn, c.table, &key, &found);
  if (code != 0 && code != MDB_NOTFOUND) return code;
  const bool has_entry = code == 0;
  same = has_entry == c.value.has_value();
  if (!same || !has_entry) return 0;
  const std::string_view stored = text_of(found);
  // A damaged value is no reason to keep it.
  std::uint32_t written = 0;
  same = stored.size() == checksum_bytes + c.value->size() && stored.substr(checksum_bytes) == *c.value;
  if (same) std::memcpy(&written, stored.data(), checksum_bytes);
  same = same && written == entry_checksum(file.tables[c.table].checksum, c.key, *c.value);
  return 0;
}

int put(const open_file& file, MDB_txn* txn, const byte_change& c) {
  MDB_val key = bytes_of(c.key), place{checksum_bytes + c.value->size(), nullptr};
  if (const int code = mdb_put(txn, c.table, &key, &place, MDB_RESERVE); code != 0) return code;
  const std::uint32_t checksum = entry_checksum(file.tables[c.table].checksum, c.key, *c.value);
  auto* const to = static_cast<char*>(place.mv_data);
  std::memcpy(to, &checksum, checksum_bytes);
  if (!c.value->empty()) std::memcpy(to + checksum_bytes, c.value->data(), c.value->size());
  return 0;
}

int write_change(const open_file& file, MDB_txn* txn, const byte_change& c, bool& changed) {
  bool same = false;
  if (const int code = is_there(file, txn, c, same); code != 0 || same) return code;
  changed = true;
  if (c.value) return put(file, txn, c);
  MDB_val key = bytes_of(c.key);
  return mdb_del(txn, c.table, &key, nullptr);
}

}  // namespace

std::string objection(const open_file& file, std::span<const byte_change> changes) {
  if (file.options.read_only)
    return file.path.string() + ": the file is open for reading only (store_options::read_only)";
  for (const byte_change& c : changes) {
    if (!file.tables.has(c.table)) {
      return file.path.string() + ": the file has no table number " + std::to_string(c.table) +
             "; disk::table tells the numbers";
    }
    const std::string& table = file.tables[c.table].name;
    if (c.key.empty())
      return file.path.string() + ", table " + printable(table) + ": a key has one byte at least, and this is empty";
    if (c.key.size() > detail::key_bytes_max) {
      return entry_name(file.path, table, c.key) + ": a key has at most " + std::to_string(detail::key_bytes_max) +
             " bytes, and this has " + std::to_string(c.key.size()) +
             "; keep a hash of it as the key, and it in the value";
    }
    if (c.value && c.value->size() > value_bytes_max) {
      return entry_name(file.path, table, c.key) + ": a value has less than 4 GiB; keep it in several entries";
    }
  }
  return {};
}

std::vector<const byte_change*> last_of_each(std::span<const byte_change> changes) {
  std::vector<const byte_change*> all;
  all.reserve(changes.size());
  for (const byte_change& c : changes) all.push_back(&c);
  const auto is_before = [](const byte_change* a, const byte_change* b) {
    return a->table != b->table ? a->table < b->table : a->key < b->key;
  };
  std::stable_sort(all.begin(), all.end(), is_before);
  // The last one of equal ones stays.
  const auto end = std::unique(all.rbegin(), all.rend(), [&](const byte_change* a, const byte_change* b) {
    return a->table == b->table && a->key == b->key;
  });
  all.erase(all.begin(), end.base());
  return all;
}

int write_changes(const open_file& file, MDB_txn* txn, std::span<const byte_change* const> changes,
                  std::vector<const byte_change*>& done) {
  done.clear();
  done.reserve(changes.size());
  for (const byte_change* c : changes) {
    bool has_changed = false;
    if (const int code = write_change(file, txn, *c, has_changed); code != 0) return code;
    if (has_changed) done.push_back(c);
  }
  return 0;
}

group_outcome write_once(open_file& file, const writing& write, bool mark_open) {
  using what = group_outcome::what;
  file_transaction t;
  bool changed = false;
  int code = t.begin(file.env.get(), 0);
  if (code == 0) code = write(t.get(), changed);
  if (code == 0 && changed && mark_open) code = write_header(t.get(), {file.version_ahead, true});
  if (code != 0) return {what::failed_before_commit, code, 0};
  const std::uint64_t version = file.version_of(t.get());
  if (!changed) return {what::unchanged, 0, version - 1};
  code = t.commit();
  return {code == 0 ? what::committed : what::failed_in_commit, code, version};
}

std::size_t bytes_of(std::span<const byte_change> changes) noexcept {
  std::size_t bytes = 0;
  for (const byte_change& c : changes) bytes += c.key.size() + (c.value ? c.value->size() + page_bytes() : 0);
  return bytes;
}

}  // namespace tact::lmdb
