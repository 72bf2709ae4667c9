#include "store/disk/examination.hpp"

#include <chrono>
#include <cstring>

#include "store/disk/checksum.hpp"
#include "store/disk/environment.hpp"
#include "store/disk/header.hpp"
#include "store/disk/open_file.hpp"
#include "tact/store/detail/disk.hpp"

namespace tact::lmdb {

namespace {

constexpr std::size_t problems_max = 100;
constexpr unsigned tables_max = 4096;
constexpr std::uint64_t entries_a_look = 4096;  // at the clock
constexpr auto tell_each = std::chrono::seconds(1);

bool is_in_use(depth how) noexcept { return how == depth::header_in_use || how == depth::all_in_use; }

class examiner {
 public:
  examiner(const std::filesystem::path& file, const progress& tell)
      : tell_(tell), env_(file, {.map_bytes = 0, .readers = 126, .tables = tables_max, .read_only = true}) {}

  findings run(depth how) {
    if (const int code = txn_.begin(env_.get(), MDB_RDONLY); code != 0)
      throw_failure(env_.file(), "read the file", code);
    look_at_header();
    if (is_in_use(how)) found_.was_closed = true;  // it is marked as open, and rightly so
    const bool all = how == depth::all || how == depth::all_in_use || !found_.was_closed;
    if (!found_.problems.empty()) return found_;
    for (const std::string& name : names()) look_at_table(name, all);
    if (all) look_at_pages();
    found_.is_all_looked_at = all;
    return found_;
  }

 private:
  void add(std::string problem) {
    if (found_.problems.size() < problems_max) found_.problems.push_back(std::move(problem));
  }
  void add(const std::string& where, int code) { add(where + ": " + mdb_strerror(code)); }

  void look_at_header() {
    const header_read h = read_header(txn_.get());
    if (h.state == header_state::newer) {
      throw store_error(store_problem::not_opened,
                        env_.file().string() + ": it was written by a later version of tact");
    }
    if (h.state == header_state::none || h.state == header_state::foreign) {
      throw store_error(store_problem::not_opened,
                        env_.file().string() + ": it is a file of LMDB, but no store of tact");
    }
    if (h.state == header_state::damaged) return add("the header", h.code);
    found_.was_closed = !h.found.is_open;
    found_.version = mdb_txn_id(txn_.get()) + h.found.version_ahead;
  }

  std::vector<std::string> names() {
    int code = 0;
    std::vector<std::string> all = table_names(txn_.get(), code);
    if (code != 0) add("the list of tables", code);
    return all;
  }

  void look_at_table(const std::string& name, bool all) {
    const std::string where = "table " + printable(name);
    MDB_dbi table = 0;
    MDB_stat counts{};
    int code = mdb_dbi_open(txn_.get(), stored_name(name).c_str(), 0, &table);
    if (code == 0) code = mdb_stat(txn_.get(), table, &counts);
    if (code != 0) return add(where, code);
    count_pages(counts);
    ++found_.tables;
    if (all) look_at_entries(name, where, table, counts.ms_entries);
  }

  void look_at_entries(const std::string& name, const std::string& where, MDB_dbi table, std::uint64_t expected) {
    int code = 0;
    const read_cursor c = open_cursor(txn_.get(), table, code);
    const std::uint32_t seed = crc32c(0, name);
    std::string before;
    std::uint64_t seen = 0;
    MDB_val k{}, v{};
    while (code == 0 && (code = mdb_cursor_get(c.get(), &k, &v, MDB_NEXT)) == 0 && seen <= expected) {
      look_at_entry(where, seed, before, text_of(k), text_of(v));
      before.assign(text_of(k));
      ++seen;
      say_how_far(name);
    }
    if (code != MDB_NOTFOUND) add(where, code == 0 ? MDB_CORRUPTED : code);
    if (seen != expected) add(where + ": has not as many entries as LMDB has counted");
  }

  void look_at_entry(const std::string& where, std::uint32_t seed, std::string_view before, std::string_view key,
                     std::string_view stored) {
    const std::string entry = where + ", key " + printable(key);
    ++found_.entries;
    if (key.empty() || key.size() > detail::key_bytes_max) add(entry + ": the key has a length that no key has");
    if (!before.empty() && before >= key) add(entry + ": the key is not in order");
    std::uint32_t written = 0;
    if (stored.size() >= checksum_bytes) std::memcpy(&written, stored.data(), checksum_bytes);
    if (stored.size() < checksum_bytes || written != entry_checksum(seed, key, stored.substr(checksum_bytes))) {
      add(entry + ": the value is not what was written (its checksum differs)");
    }
  }

  void count_pages(const MDB_stat& s) { pages_ += s.ms_branch_pages + s.ms_leaf_pages + s.ms_overflow_pages; }

  // A page that is free and in use at once would be overwritten.
  void look_at_pages() {
    constexpr MDB_dbi free_pages = 0;
    constexpr std::uint64_t meta_pages = 2;
    MDB_stat counts{};
    MDB_envinfo info{};
    mdb_env_info(env_.get(), &info);
    for (const MDB_dbi t : {free_pages, main_table}) {
      if (mdb_stat(txn_.get(), t, &counts) == 0) count_pages(counts);
    }
    int code = 0;
    const read_cursor c = open_cursor(txn_.get(), free_pages, code);
    MDB_val k{}, v{};
    while (code == 0 && (code = mdb_cursor_get(c.get(), &k, &v, MDB_NEXT)) == 0) look_at_free(v, info.me_last_pgno);
    if (code != MDB_NOTFOUND) add("the list of free pages", code);
    if (pages_ + meta_pages > info.me_last_pgno + 1) add("the list of free pages: has pages that are in use");
  }

  // A number of pages, and their numbers, from the largest down.
  void look_at_free(const MDB_val& v, std::uint64_t last_page) {
    std::uint64_t count = 0, before = last_page + 1;
    if (v.mv_size >= sizeof count) std::memcpy(&count, v.mv_data, sizeof count);
    if (v.mv_size < (count + 1) * sizeof count) return add("the list of free pages: it was cut");
    pages_ += count;
    for (std::uint64_t n = 1; n <= count; ++n) {
      std::uint64_t page = 0;
      std::memcpy(&page, static_cast<const char*>(v.mv_data) + n * sizeof page, sizeof page);
      if (page >= before || page < 2) return add("the list of free pages: it is not in order");
      before = page;
    }
  }

  void say_how_far(std::string_view table) {
    if (!tell_ || found_.entries % entries_a_look != 0) return;
    const auto now = std::chrono::steady_clock::now();
    if (now - told_ < tell_each) return;
    told_ = now;
    tell_(table, found_.entries);
  }

  const progress& tell_;
  environment env_;
  file_transaction txn_;
  findings found_;
  std::uint64_t pages_ = 0;
  std::chrono::steady_clock::time_point told_ = std::chrono::steady_clock::now();
};

}  // namespace

findings examine(const std::filesystem::path& file, depth how, const progress& tell) {
  return examiner(file, tell).run(how);
}

}  // namespace tact::lmdb
