// What a snapshot and a cursor read.
#include "store/disk/snapshots.hpp"
#include "tact/failure.hpp"
#include "tact/store/detail/disk.hpp"

namespace tact::detail {

struct cursor_state {
  snapshot_state* in = nullptr;
  table_number table = 0;
  MDB_cursor* cursor = nullptr;  // null: the snapshot has no such table
  bool is_at_entry = false;
  std::string_view key{};
  std::string_view value{};
  std::string key_copy{};
  std::string value_copy{};

  cursor_state(snapshot_state* s, table_number t) : in(s), table(t) {}
  cursor_state(const cursor_state&) = delete;
  cursor_state& operator=(const cursor_state&) = delete;
  ~cursor_state() {
    if (cursor != nullptr) mdb_cursor_close(cursor);
  }
};

namespace {

using namespace lmdb;

// LMDB says this of a table that was opened after the snapshot was taken.
bool is_later_table(int code) noexcept { return code == EINVAL || code == MDB_BAD_DBI; }

void look_at_number(const open_file& file, table_number table) {
  if (!file.tables.has(table)) {
    throw usage_error("a table number of a store file comes from disk::table of the same file");
  }
}

// The snapshot is not ended as long as this lives.
class reading {
 public:
  explicit reading(const snapshot_state* s) : s_(s) {
    if (s == nullptr) throw usage_error("a snapshot of no file has nothing to read");
    if (s_->held != nullptr) {
      lock_ = std::unique_lock(s_->held->mutex);
      if (s_->held->is_ended) throw_ended();
    }
    s_->home->file().health.check();
  }
  [[nodiscard]] bool must_copy() const noexcept { return s_->held != nullptr && s_->held->can_end; }

 private:
  [[noreturn]] void throw_ended() const {
    throw store_error(store_problem::snapshot_ended,
                      s_->home->file().path.string() + ": the snapshot \"" + s_->held->name +
                          "\" was held for longer than store_options::snapshot_limit, and was ended; take a new one");
  }

  const snapshot_state* s_;
  std::unique_lock<std::mutex> lock_;
};

}  // namespace

byte_snapshot::byte_snapshot() noexcept = default;
byte_snapshot::byte_snapshot(std::unique_ptr<snapshot_state> state) noexcept : state_(std::move(state)) {}
byte_snapshot::byte_snapshot(byte_snapshot&&) noexcept = default;
byte_snapshot& byte_snapshot::operator=(byte_snapshot&& other) noexcept {
  byte_snapshot(std::move(other)).state_.swap(state_);
  return *this;
}
byte_snapshot::~byte_snapshot() {
  if (state_ == nullptr) return;
  snapshots& home = *state_->home;
  home.give_back(std::move(state_));
}

std::uint64_t byte_snapshot::version() const noexcept { return state_ == nullptr ? 0 : state_->version; }

std::optional<std::string_view> byte_snapshot::find(table_number table, std::string_view key) const {
  const reading now(state_.get());
  const open_file& file = state_->home->file();
  if (key.empty() || key.size() > key_bytes_max) return std::nullopt;  // no entry has such a key
  look_at_number(file, table);
  MDB_val k = bytes_of(key), v{};
  const int code = mdb_get(state_->txn, table, &k, &v);
  if (code == MDB_NOTFOUND || is_later_table(code)) return std::nullopt;
  if (code != 0) throw_failure(file.path, "read in table " + printable(file.tables[table].name), code);
  const std::string_view value = checked_value(file, table, key, text_of(v));
  return now.must_copy() ? std::string_view(state_->held->value.assign(value)) : value;
}

std::size_t byte_snapshot::size(table_number table) const {
  const reading now(state_.get());
  const open_file& file = state_->home->file();
  MDB_stat counts{};
  const int code = mdb_stat(state_->txn, table, &counts);
  if (code == MDB_NOTFOUND || is_later_table(code)) return 0;
  if (code != 0) throw_failure(file.path, "read in table " + printable(file.tables[table].name), code);
  return counts.ms_entries;
}

// -- cursors

namespace {

bool move(cursor_state& c, MDB_cursor_op how, std::string_view to = {}) {
  const reading now(c.in);
  const open_file& file = c.in->home->file();
  c.is_at_entry = false;
  if (c.cursor == nullptr) return false;
  MDB_val k = bytes_of(to), v{};
  const int code = mdb_cursor_get(c.cursor, &k, &v, how);
  if (code == MDB_NOTFOUND || is_later_table(code)) return false;
  if (code != 0) throw_failure(file.path, "read in table " + printable(file.tables[c.table].name), code);
  c.key = text_of(k);
  c.value = checked_value(file, c.table, c.key, text_of(v));
  if (now.must_copy()) {
    c.key = c.key_copy.assign(c.key);
    c.value = c.value_copy.assign(c.value);
  }
  c.is_at_entry = true;
  return true;
}

}  // namespace

byte_cursor::byte_cursor(const byte_snapshot& in, table_number table) {
  const reading now(in.state_.get());
  const open_file& file = in.state_->home->file();
  look_at_number(file, table);
  state_ = std::make_unique<cursor_state>(in.state_.get(), table);
  const int code = mdb_cursor_open(in.state_->txn, table, &state_->cursor);
  if (code == 0) return;
  state_->cursor = nullptr;
  if (code != MDB_NOTFOUND && !is_later_table(code)) {
    throw_failure(file.path, "read in table " + printable(file.tables[table].name), code);
  }
}
byte_cursor::byte_cursor(byte_cursor&&) noexcept = default;
byte_cursor& byte_cursor::operator=(byte_cursor&&) noexcept = default;
byte_cursor::~byte_cursor() = default;

bool byte_cursor::first() { return move(*state_, MDB_FIRST); }
bool byte_cursor::last() { return move(*state_, MDB_LAST); }
bool byte_cursor::at_least(std::string_view key) {
  if (key.empty()) return first();
  if (key.size() <= key_bytes_max) return move(*state_, MDB_SET_RANGE, key);
  // No entry has a key of this length. Its beginning is less, and so is an entry that is equal to it.
  const std::string_view begin = key.substr(0, key_bytes_max);
  if (!move(*state_, MDB_SET_RANGE, begin)) return false;
  return state_->key > begin || next();
}
bool byte_cursor::next() { return state_->is_at_entry && move(*state_, MDB_NEXT); }
bool byte_cursor::previous() { return state_->is_at_entry && move(*state_, MDB_PREV); }
std::string_view byte_cursor::key() const { return state_->is_at_entry ? state_->key : std::string_view(); }
std::string_view byte_cursor::value() const { return state_->is_at_entry ? state_->value : std::string_view(); }

}  // namespace tact::detail
