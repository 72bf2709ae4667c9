#include "store/disk/writer.hpp"

#include <sys/mman.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cerrno>

#include "store/disk/header.hpp"

namespace tact::lmdb {

namespace {

using fate = commit_result::fate;

bool says_no_room(int code) noexcept { return code == ENOSPC || code == EDQUOT || code == EFBIG; }

// A write that a full disk takes in part is an EIO to LMDB.
bool is_disk_full(int fd) noexcept {
  constexpr std::uint64_t room_bytes_min = 1u << 20;
  struct ::statvfs room {};
  return ::fstatvfs(fd, &room) == 0 && room.f_bavail * room.f_frsize < room_bytes_min;
}

bool has_address_space(std::size_t bytes) noexcept {
  void* const at = ::mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (at == MAP_FAILED) return false;
  ::munmap(at, bytes);
  return true;
}

}  // namespace

commit_result writer::refused(std::string why) const {
  commit_result r{fate::refused, 0, std::move(why)};
  if (!file_.health.is_well()) r.what = fate::stopped;
  return r;
}

commit_result writer::stopped(fate what, std::string why) {
  file_.health.stop(why);
  return {what, 0, std::move(why)};
}

commit_result writer::commit(std::span<const byte_change> changes) {
  if (!file_.health.is_well()) return {fate::stopped, 0, file_.health.text()};
  if (std::string why = objection(file_, changes); !why.empty()) return {fate::refused, 0, std::move(why)};
  readers_.look_at_old();
  const std::vector<const byte_change*> last = last_of_each(changes);
  const std::lock_guard alone(mutex_);
  std::vector<const byte_change*> done;
  commit_result r = write(
      [&](MDB_txn* txn, bool& changed) {
        const int code = write_changes(file_, txn, last, done);
        changed = !done.empty();
        return code;
      },
      bytes_of(changes));
  if (r.what == fate::durable) r.done = std::move(done);
  return r;
}

commit_result writer::write(const writing& write, std::size_t bytes) {
  for (;;) {
    if (!file_.health.is_well()) return {fate::stopped, 0, file_.health.text()};
    const group_outcome g = write_once(file_, write, !is_marked_);
    using what = group_outcome::what;
    if (g.ended == what::unchanged) return {fate::durable, g.version, {}};
    if (g.ended == what::committed) {
      is_marked_ = true;
      look_at_readers();
      return {fate::durable, g.version, {}};
    }
    if (g.code != MDB_MAP_FULL && g.code != MDB_MAP_RESIZED) return judge(g);
    if (auto failed = grow(g.code, bytes)) return *failed;
  }
}

// Whether the file is as it was before a commit that the system has refused. A failed sync would be told to our own
// descriptor, too, and a failed write of a meta page lets LMDB begin nothing more.
bool writer::is_whole_after_refusal() {
  file_transaction t;
  if (t.begin(file_.env.get(), 0) != 0) return false;
  t.abort();
  return ::fdatasync(fd_) == 0;
}

commit_result writer::judge(const group_outcome& failed) {
  const std::string why = failure_text(file_.path, "commit", failed.code);
  if (is_damage(failed.code) || failed.code == MDB_PANIC) return stopped(fate::stopped, why);
  const bool is_of_lmdb = failed.code < 0;
  if (is_of_lmdb || failed.code == ENOMEM) return refused(why);
  if ((says_no_room(failed.code) || is_disk_full(fd_)) && is_whole_after_refusal())
    return refused(why + " (nothing was written; make room on the disk)");
  return stopped(fate::unknown, why);
}

std::optional<commit_result> writer::grow(int code, std::size_t bytes) {
  std::size_t wanted = 0;
  if (code == MDB_MAP_FULL) {
    MDB_envinfo info{};
    mdb_env_info(file_.env.get(), &info);
    wanted = map_size(info.me_mapsize + std::max(info.me_mapsize, 2 * bytes));
    if (wanted <= info.me_mapsize || !has_address_space(wanted)) {
      return refused(file_.path.string() +
                     ": the file has outgrown the address space that this process may use; raise `ulimit -v`");
    }
  }
  std::string why;
  const map_change done = readers_.change_map(wanted, why);
  if (done == map_change::done) return std::nullopt;
  return refused(std::move(why));
}

// What the readers of processes that were killed still hold makes the file grow.
void writer::look_at_readers() noexcept {
  constexpr std::size_t growth_bytes_min = 1u << 20;
  MDB_envinfo info{};
  mdb_env_info(file_.env.get(), &info);
  const std::size_t bytes = info.me_last_pgno * page_bytes();
  if (bytes < looked_at_bytes_ + looked_at_bytes_ / 4 + growth_bytes_min) return;
  looked_at_bytes_ = bytes;
  mdb_reader_check(file_.env.get(), nullptr);
}

// -- tables

int writer::open_existing(std::string_view name, MDB_dbi& table) {
  file_transaction t;
  int code = t.begin(file_.env.get(), MDB_RDONLY);
  if (code == 0) code = mdb_dbi_open(t.get(), stored_name(name).c_str(), 0, &table);
  return code == 0 ? t.commit() : code;
}

MDB_dbi writer::make_table(std::string_view name) {
  MDB_dbi table = 0;
  const commit_result made = write(
      [&](MDB_txn* txn, bool& changed) {
        changed = true;
        return mdb_dbi_open(txn, stored_name(name).c_str(), MDB_CREATE, &table);
      },
      page_bytes());
  if (made.what == fate::durable) return table;
  const store_problem problem = made.what == fate::refused   ? store_problem::not_opened
                                : made.what == fate::unknown ? store_problem::unknown
                                                             : store_problem::stopped;
  throw store_error(problem, made.why);
}

MDB_dbi writer::open_table(std::string_view name) {
  constexpr std::size_t name_bytes_max = 255;
  if (name.empty() || name.size() > name_bytes_max || name.find('\0') != std::string_view::npos) {
    throw store_error(store_problem::not_opened,
                      file_.path.string() + ": the name of a table has 1 to 255 bytes, none of them 0, and this is " +
                          printable(name));
  }
  const std::lock_guard alone(mutex_);
  file_.health.check();
  if (const MDB_dbi open = file_.tables.find(name)) return open;
  MDB_dbi table = 0;
  const int code = open_existing(name, table);
  if (code == MDB_NOTFOUND && file_.options.read_only) {
    throw store_error(store_problem::not_opened, file_.path.string() + ": the file has no table " + printable(name));
  }
  if (code == MDB_NOTFOUND) {
    table = make_table(name);
  } else if (code != 0) {
    throw_failure(file_.path, "open the table " + printable(name), code);
  }
  file_.tables.add(table, name);
  return table;
}

// The version stays as it is.
void writer::close() noexcept {
  const std::lock_guard alone(mutex_);
  if (!is_marked_ || !file_.health.is_well() || file_.options.read_only) return;
  file_transaction t;
  if (t.begin(file_.env.get(), 0) != 0) return;
  if (write_header(t.get(), {file_.version_ahead - 1, false}) == 0) static_cast<void>(t.commit());
}

}  // namespace tact::lmdb
