// How a store file is opened and closed.
#include "tact/store/detail/disk.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <cerrno>

#include "store/disk/examination.hpp"
#include "store/disk/file_claim.hpp"
#include "store/disk/file_copy.hpp"
#include "store/disk/header.hpp"
#include "store/disk/new_file.hpp"
#include "store/disk/snapshots.hpp"
#include "store/disk/writer.hpp"

namespace tact::detail {

struct disk_state {
  disk_state(const std::filesystem::path& path, const store_options& options, std::unique_ptr<lmdb::file_claim> claimed)
      : claim(std::move(claimed)), file(path, options), readers(file) {}

  const std::unique_ptr<lmdb::file_claim> claim;
  lmdb::open_file file;
  lmdb::snapshots readers;
  std::optional<lmdb::writer> writer{};
};

namespace {

using namespace lmdb;

// LMDB has opened by path once more.
void must_be_same_file(const disk_state& d) {
  int fd = -1;
  struct ::stat found {};
  if (mdb_env_get_fd(d.file.env.get(), &fd) == 0 && ::fstat(fd, &found) == 0 &&
      file_identity{found.st_dev, found.st_ino} == d.claim->identity()) {
    return;
  }
  throw store_error(store_problem::not_opened,
                    d.file.path.string() + ": the file was replaced while it was opened; open it again");
}

void must_be_local(const std::filesystem::path& path, int fd) {
  struct ::statfs in {};
  if (::fstatfs(fd, &in) != 0) throw_failure(path, "open the file", errno);
  constexpr long networks[] = {0x6969 /* NFS */, 0xff534d42 /* CIFS */, 0xfe534d42 /* SMB2 */, 0x517b /* SMB */};
  for (const long kind : networks) {
    if (static_cast<unsigned long>(in.f_type) != static_cast<unsigned long>(kind)) continue;
    throw store_error(
        store_problem::not_opened,
        path.string() + ": it lies on a network file system, which LMDB cannot use; keep it on a local disk");
  }
}

void must_be_whole(const std::filesystem::path& path, depth how) {
  const findings found = examine_apart(path, how);
  if (!found.problems.empty()) throw_damaged_file(path, found.problems.front());
}

// What the system's memory has of the file need not be on the disk: a process that was killed may have written it, or a
// write of a first page has failed, and LMDB has put the old one back in memory only. The pages to which the new one
// refers are free for LMDB then. So both first pages are written as they are read, and lie there before anything is
// answered, and before any other page is written.
void settle(const std::filesystem::path& path, int fd) {
  std::string pages(2 * page_bytes(), '\0');
  const ssize_t bytes = ::pread(fd, pages.data(), pages.size(), 0);
  if (bytes < 0 || ::pwrite(fd, pages.data(), static_cast<std::size_t>(bytes), 0) != bytes || ::fdatasync(fd) != 0)
    throw_failure(path, "sync the file", errno);
}

header must_have_header(const open_file& file) {
  file_transaction t;
  if (const int code = t.begin(file.env.get(), MDB_RDONLY); code != 0)
    throw_failure(file.path, "read the header", code);
  const header_read read = read_header(t.get());
  switch (read.state) {
    case header_state::whole:
      return read.found;
    case header_state::damaged:
      throw_failure(file.path, "read the header", read.code);
    case header_state::newer:
      throw store_error(store_problem::not_opened, file.path.string() + ": it was written by a later version of tact");
    case header_state::none:
    case header_state::foreign:
      break;
  }
  throw store_error(store_problem::not_opened, file.path.string() + ": it is a file of LMDB, but no store of tact");
}

// A snapshot knows only the tables that were open when it was taken.
void open_tables(disk_state& d) {
  file_transaction t;
  int code = t.begin(d.file.env.get(), MDB_RDONLY);
  const std::vector<std::string> names = code == 0 ? table_names(t.get(), code) : std::vector<std::string>();
  if (code != 0) throw_failure(d.file.path, "read the names of the tables", code);
  t.abort();
  if (names.size() > d.file.env.tables_max()) {
    throw store_error(store_problem::not_opened, d.file.path.string() + ": the file has " +
                                                     std::to_string(names.size()) +
                                                     " tables, more than store_options::tables_max");
  }
  for (const std::string& name : names) static_cast<void>(d.writer->open_table(name));
}

std::unique_ptr<disk_state> open_state(const std::filesystem::path& path, const store_options& options) {
  if (!options.read_only) make_if_missing(path);
  descriptor fd(::open(path.c_str(), (options.read_only ? O_RDONLY : O_RDWR) | O_CLOEXEC));
  if (!fd) throw_failure(path, "open the file", errno);
  must_be_local(path, fd.get());
  using use = file_claim::use;
  auto claim = std::make_unique<file_claim>(path, std::move(fd), options.read_only ? use::read : use::write);
  must_be_whole(path, claim->has_writer_elsewhere() ? depth::header_in_use : depth::as_needed);
  if (!options.read_only) settle(path, claim->fd());
  auto d = std::make_unique<disk_state>(path, options, std::move(claim));
  must_be_same_file(*d);
  mdb_reader_check(d->file.env.get(), nullptr);
  const header found = must_have_header(d->file);
  d->file.version_ahead = found.version_ahead;
  d->writer.emplace(d->file, d->readers, d->claim->fd(), found.is_open);
  open_tables(*d);
  // The names of the file and of its lock file, if they are new.
  if (const int code = options.read_only ? 0 : sync_folder_of(path); code != 0)
    throw_failure(path, "sync the folder", code);
  d->claim->tell_forks_to(d->file.health);
  return d;
}

}  // namespace

disk::disk(std::unique_ptr<disk_state> state) noexcept : state_(std::move(state)) {}

std::shared_ptr<disk> disk::open(const std::filesystem::path& path, const store_options& options) {
  return std::shared_ptr<disk>(new disk(open_state(std::filesystem::absolute(path), options)));
}

disk::~disk() {
  if (state_->file.health.is_forked()) {
    static_cast<void>(state_.release());  // the parent's
    return;
  }
  state_->writer->close();
  state_->readers.forget_spare();
}

const std::filesystem::path& disk::path() const noexcept { return state_->file.path; }
const store_options& disk::options() const noexcept { return state_->file.options; }
table_number disk::table(std::string_view name) { return state_->writer->open_table(name); }
byte_snapshot disk::read() { return byte_snapshot(state_->readers.take()); }
byte_snapshot disk::hold(std::string name) {
  return byte_snapshot(state_->readers.hold(std::move(name), shared_from_this()));
}
std::vector<held_snapshot> disk::held() const { return state_->readers.held(); }
void disk::look_at_held() { state_->readers.look_at_old(); }
std::vector<std::string> disk::tables() {
  const byte_snapshot now = read();
  int code = 0;
  std::vector<std::string> names = table_names(now.state_->txn, code);
  if (code != 0) throw_failure(path(), "read the names of the tables", code);
  return names;
}
void disk::back_up(const std::filesystem::path& to) {
  // The copy is a snapshot of LMDB's own. The one that is held keeps the map as it is.
  const byte_snapshot held(
      state_->readers.hold("the backup to " + to.string(), shared_from_this(), snapshots::too_old::is_told));
  lmdb::back_up(state_->file.env, std::filesystem::absolute(to), {});
}
commit_result disk::commit(std::span<const byte_change> changes) { return state_->writer->commit(changes); }

}  // namespace tact::detail
