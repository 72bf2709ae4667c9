#include "store/disk/file_copy.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>

#include "store/disk/examination.hpp"
#include "store/disk/file_claim.hpp"
#include "store/disk/header.hpp"
#include "store/disk/new_file.hpp"

namespace tact::lmdb {

namespace {

constexpr unsigned readers_of_copy = 126;
// By how much a restored file is ahead of its backup. The commits behind the backup may be lost, and their numbers are
// not to be used again.
constexpr std::uint64_t versions_skipped = std::uint64_t{1} << 32;

// Tells the size of a file while another thread's call makes it grow.
class size_teller {
 public:
  size_teller(int fd, const copy_progress& tell) {
    if (tell) thread_ = std::thread([this, fd, &tell] { run(fd, tell); });
  }
  size_teller(const size_teller&) = delete;
  size_teller& operator=(const size_teller&) = delete;
  ~size_teller() {
    {
      const std::lock_guard lock(mutex_);
      is_over_ = true;
    }
    over_.notify_all();
    if (thread_.joinable()) thread_.join();
  }

 private:
  void run(int fd, const copy_progress& tell) {
    std::unique_lock lock(mutex_);
    while (!over_.wait_for(lock, std::chrono::seconds(1), [this] { return is_over_; })) {
      struct ::stat file {};
      if (::fstat(fd, &file) == 0) tell(static_cast<std::uint64_t>(file.st_size));
    }
  }

  std::mutex mutex_;
  std::condition_variable over_;
  bool is_over_ = false;
  std::thread thread_;
};

environment_limits read_only_limits() {
  return {.map_bytes = 0, .readers = readers_of_copy, .tables = 0, .read_only = true};
}

// Throws store_error: damaged.
findings must_be_whole(const std::filesystem::path& file, depth how) {
  findings found = examine_apart(file, how);
  if (!found.problems.empty()) throw_damaged_file(file, found.problems.front());
  return found;
}

descriptor open_for_claim(const std::filesystem::path& file) {
  descriptor fd(::open(file.c_str(), O_RDWR | O_CLOEXEC));
  if (!fd) throw_failure(file, "open the file", errno);
  return fd;
}

// None: no file has this name. Throws store_error: in_use.
std::unique_ptr<file_claim> claim_replaced(const std::filesystem::path& file) {
  if (!std::filesystem::exists(file)) return nullptr;
  return std::make_unique<file_claim>(file, open_for_claim(file), file_claim::use::alone);
}

// 0: it cannot be told.
std::uint64_t version_in(const std::filesystem::path& file) {
  try {
    return examine_apart(file, depth::header_in_use).version;
  } catch (const store_error&) {
    return 0;
  }
}

}  // namespace

new_copy::new_copy(const std::filesystem::path& to) : to_(to), temporary_(temporary_beside(to)) {}

new_copy::~new_copy() {
  ::unlink(temporary_.c_str());
  ::unlink(lock_file_of(temporary_).c_str());
}

void new_copy::take(const environment& from, copied how, const copy_progress& tell) {
  constexpr mode_t mode = 0666;
  const descriptor fd(::open(temporary_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode));
  if (!fd) throw_failure(temporary_, "make the file", errno);
  int code = 0;
  {
    const size_teller teller(fd.get(), tell);
    code = mdb_env_copyfd2(from.get(), fd.get(), how == copied::compact ? MDB_CP_COMPACT : 0u);
  }
  if (code != 0) throw_failure(from.file(), "copy the file to " + temporary_.string(), code);
  if (::fsync(fd.get()) != 0) throw_failure(temporary_, "sync the copy", errno);
}

void new_copy::set_version(std::uint64_t version) {
  const environment env(temporary_, {.map_bytes = 0, .readers = readers_of_copy, .tables = 0});
  MDB_envinfo info{};
  mdb_env_info(env.get(), &info);
  // The commit needs some pages.
  constexpr std::size_t room_pages = 64;
  int code = mdb_env_set_mapsize(env.get(), std::max(info.me_mapsize, (info.me_last_pgno + room_pages) * page_bytes()));
  file_transaction t;
  if (code == 0) code = t.begin(env.get(), 0);
  if (code == 0) code = write_header(t.get(), {version - mdb_txn_id(t.get()), false});
  if (code == 0) code = t.commit();
  if (code != 0) throw_failure(temporary_, "write the header", code);
}

void new_copy::name() {
  int code = give_name(temporary_, to_, true);
  if (code == 0) code = sync_folder_of(to_);
  if (code != 0) throw_failure(to_, "give the copy its name", code);
}

void compact_file(const std::filesystem::path& file, const copy_progress& tell) {
  const file_claim claim(file, open_for_claim(file), file_claim::use::alone);
  const findings found = must_be_whole(file, depth::all);
  new_copy copy(file);
  {
    const environment env(file, read_only_limits());
    copy.take(env, copied::compact, tell);
  }
  copy.set_version(found.version);
  copy.name();
}

void restore_file(const std::filesystem::path& backup, const std::filesystem::path& file, const copy_progress& tell) {
  const findings found = must_be_whole(backup, depth::all);
  const auto claim = claim_replaced(file);
  const std::uint64_t before = claim == nullptr ? 0 : version_in(file);
  new_copy copy(file);
  {
    const environment env(backup, read_only_limits());
    copy.take(env, copied::as_it_is, tell);
  }
  copy.set_version(std::max(before, found.version) + versions_skipped);
  copy.name();
}

void back_up(const environment& from, const std::filesystem::path& to, const copy_progress& tell) {
  const auto claim = claim_replaced(to);
  new_copy copy(to);
  copy.take(from, copied::as_it_is, tell);
  copy.name();
}

void back_up_file(const std::filesystem::path& file, const std::filesystem::path& to, const copy_progress& tell) {
  descriptor fd(::open(file.c_str(), O_RDONLY | O_CLOEXEC));
  if (!fd) throw_failure(file, "open the file", errno);
  const file_claim claim(file, std::move(fd), file_claim::use::read);
  static_cast<void>(must_be_whole(file, claim.has_writer_elsewhere() ? depth::header_in_use : depth::as_needed));
  const environment env(file, read_only_limits());
  back_up(env, to, tell);
}

}  // namespace tact::lmdb
