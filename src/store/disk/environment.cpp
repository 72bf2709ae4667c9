#include "store/disk/environment.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace tact::lmdb {

namespace {

constexpr mode_t file_mode = 0666;  // less what the process's umask takes
constexpr std::size_t address_space_max = std::size_t{1} << 46;
constexpr unsigned readers_most = 1u << 16;
constexpr unsigned tables_most = 1u << 12;  // each snapshot has some bytes for each

std::string_view remedy_of(int code) noexcept {
  switch (code) {
    case ENOMEM:
      return " (store_options::map_bytes is the address space that the file asks for; `ulimit -v` may limit it)";
    case EACCES:
    case EPERM:
    case EROFS:
      return " (both the file and its lock file, FILE-lock, must be writable, also for a reader)";
    case ENOENT:
      return " (the folder must be there, and for a reader the file too)";
    case MDB_READERS_FULL:
      return " (store_options::readers_max of the process that opened the file first; `tact-store readers FILE` shows "
             "which snapshots there are)";
    case MDB_DBS_FULL:
      return " (store_options::tables_max)";
    case MDB_VERSION_MISMATCH:
      return " (it was written by another version of LMDB)";
    default:
      return is_damage(code)
                 ? " (`tact-store check FILE` says what is damaged; restore a backup with `tact-store restore`)"
                 : "";
  }
}

}  // namespace

bool is_damage(int code) noexcept {
  return code == MDB_CORRUPTED || code == MDB_PAGE_NOTFOUND || code == MDB_INVALID || code == MDB_CURSOR_FULL ||
         code == MDB_PAGE_FULL;
}

std::string failure_text(const std::filesystem::path& file, std::string_view doing, int code) {
  std::string text = file.string() + ": cannot ";
  text.append(doing).append(": ").append(mdb_strerror(code));
  text.append(remedy_of(code));
  return text;
}

store_problem problem_of(int code) noexcept {
  if (is_damage(code)) return store_problem::damaged;
  return code == MDB_PANIC ? store_problem::stopped : store_problem::not_opened;
}

void throw_failure(const std::filesystem::path& file, std::string_view doing, int code) {
  throw store_error(problem_of(code), failure_text(file, doing, code));
}

void throw_damaged_file(const std::filesystem::path& file, const std::string& what) {
  throw store_error(store_problem::damaged,
                    file.string() + ": the file is damaged: " + what +
                        ". It was left as it is. `tact-store check FILE` lists all that is wrong; "
                        "`tact-store restore BACKUP FILE` brings a backup back");
}

std::size_t page_bytes() noexcept {
  static const auto bytes = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  return bytes;
}

std::size_t map_size(std::size_t bytes) noexcept {
  constexpr std::size_t pages_min = 16;
  const std::size_t page = page_bytes();
  const std::size_t within = std::clamp(bytes, page * pages_min, address_space_max);
  return (within + page - 1) / page * page;
}

environment::environment(std::filesystem::path file, const environment_limits& limits)
    : file_(std::move(file)), tables_max_(std::min(limits.tables, tables_most)) {
  if (const int code = mdb_env_create(&env_); code != 0) throw_failure(file_, "open the file", code);
  const auto must = [&](int code) {
    if (code == 0) return;
    close();
    throw_failure(file_, "open the file", code);
  };
  must(mdb_env_set_maxdbs(env_, tables_max_));
  must(mdb_env_set_maxreaders(env_, std::clamp(limits.readers, 1u, readers_most)));
  must(mdb_env_set_mapsize(env_, map_size(limits.map_bytes)));
  // A transaction belongs to its object, not to its thread.
  const unsigned flags = MDB_NOSUBDIR | MDB_NOTLS | (limits.read_only ? MDB_RDONLY : 0u);
  must(mdb_env_open(env_, file_.c_str(), flags, file_mode));
  int data = -1;
  must(mdb_env_get_fd(env_, &data));
  // LMDB marks its other descriptors itself.
  if (::fcntl(data, F_SETFD, FD_CLOEXEC) != 0) must(errno);
  must(know_main_table());
}

// LMDB knows the order of the main table's keys only when the table was opened once.
int environment::know_main_table() noexcept {
  file_transaction t;
  if (const int code = t.begin(env_, MDB_RDONLY); code != 0) return code;
  MDB_dbi main = 0;
  return mdb_dbi_open(t.get(), nullptr, 0, &main);
}

void environment::close() noexcept {
  if (env_ != nullptr) mdb_env_close(std::exchange(env_, nullptr));
}

}  // namespace tact::lmdb
