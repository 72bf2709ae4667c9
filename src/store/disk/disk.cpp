#include "tact/store/detail/disk.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "store/disk/file_claim.hpp"
#include "store/disk/header.hpp"
#include "store/disk/new_file.hpp"
#include "store/disk/snapshots.hpp"
#include "store/disk/writer.hpp"

namespace tact::detail {

struct disk_state {
  disk_state(const std::filesystem::path& path, const store_options& options, lmdb::descriptor fd)
      : claim(path, std::move(fd), options.read_only), file(path, options), readers(file) {}

  lmdb::file_claim claim;
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
      file_identity{found.st_dev, found.st_ino} == d.claim.identity()) {
    return;
  }
  throw store_error(store_problem::not_opened,
                    d.file.path.string() + ": the file was replaced while it was opened; open it again");
}

header must_have_header(const open_file& file) {
  transaction t;
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

std::unique_ptr<disk_state> open_state(const std::filesystem::path& path, const store_options& options) {
  if (!options.read_only) make_if_missing(path);
  descriptor fd(::open(path.c_str(), (options.read_only ? O_RDONLY : O_RDWR) | O_CLOEXEC));
  if (!fd) throw_failure(path, "open the file", errno);
  auto d = std::make_unique<disk_state>(path, options, std::move(fd));
  must_be_same_file(*d);
  mdb_reader_check(d->file.env.get(), nullptr);
  const header found = must_have_header(d->file);
  d->file.version_ahead = found.version_ahead;
  d->writer.emplace(d->file, d->readers, d->claim.fd(), found.is_open);
  // The names of the file and of its lock file, if they are new.
  if (const int code = options.read_only ? 0 : sync_folder_of(path); code != 0)
    throw_failure(path, "sync the folder", code);
  d->claim.tell_forks_to(d->file.health);
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
commit_result disk::commit(std::span<const byte_change> changes) { return state_->writer->commit(changes); }

}  // namespace tact::detail
