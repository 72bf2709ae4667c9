#include "store/disk/file_claim.hpp"

#include <fcntl.h>
#include <pthread.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <map>
#include <mutex>

namespace tact::lmdb {

namespace {

struct claimed {
  std::filesystem::path path;
  int fd = -1;
  file_health* health = nullptr;
};

// Every file that this process has open.
class claim_list {
 public:
  static claim_list& only() {
    static claim_list& list = *new claim_list;  // files may be closed when the process ends
    return list;
  }

  // Returns the path of who has it already.
  std::filesystem::path add(const file_identity& id, const std::filesystem::path& path, int fd) {
    const std::lock_guard lock(mutex_);
    const auto [at, is_new] = files_.try_emplace(id, claimed{path, fd});
    return is_new ? std::filesystem::path() : at->second.path;
  }
  void remove(const file_identity& id) noexcept {
    const std::lock_guard lock(mutex_);
    files_.erase(id);
  }
  void tell_forks(const file_identity& id, file_health& health) noexcept {
    const std::lock_guard lock(mutex_);
    if (const auto at = files_.find(id); at != files_.end()) at->second.health = &health;
  }

 private:
  claim_list() { ::pthread_atfork(&before_fork, &in_parent, &in_child); }

  static void before_fork() { only().mutex_.lock(); }
  static void in_parent() { only().mutex_.unlock(); }
  // The lock of the writer belongs to the parent alone, and the child opens what it likes.
  static void in_child() {
    for (auto& [id, file] : only().files_) {
      if (file.health != nullptr) file.health->say_forked();
      ::close(file.fd);
    }
    only().files_.clear();
    only().mutex_.unlock();
  }

  std::mutex mutex_;
  std::map<file_identity, claimed> files_;
};

// A byte far behind every file: the lock is for writers of stores only.
struct ::flock writer_lock(short type) noexcept {
  struct ::flock lock {};
  lock.l_type = type;
  lock.l_whence = SEEK_SET;
  lock.l_start = off_t{1} << 62;
  lock.l_len = 1;
  return lock;
}

file_identity identity_of(const std::filesystem::path& path, int fd) {
  struct ::stat found {};
  if (::fstat(fd, &found) != 0) throw_failure(path, "open the file", errno);
  if (!S_ISREG(found.st_mode)) {
    throw store_error(store_problem::not_opened,
                      path.string() + ": it is no regular file; a store is one file, not a folder");
  }
  return {found.st_dev, found.st_ino};
}

}  // namespace

void descriptor::close() noexcept {
  if (fd_ >= 0) ::close(fd_);
  fd_ = -1;
}

file_claim::file_claim(const std::filesystem::path& path, descriptor fd, bool read_only)
    : path_(path), fd_(std::move(fd)), identity_(identity_of(path, fd_.get())) {
  const std::filesystem::path already = claim_list::only().add(identity_, path, fd_.get());
  if (!already.empty()) {
    throw store_error(store_problem::in_use, path.string() + ": this process has the file open already, as " +
                                                 already.string() + "; share that store instead of a second opening");
  }
  try {
    if (!read_only) lock_for_writing();
  } catch (...) {
    claim_list::only().remove(identity_);
    throw;
  }
}

file_claim::~file_claim() { claim_list::only().remove(identity_); }

void file_claim::lock_for_writing() const {
  struct ::flock lock = writer_lock(F_WRLCK);
  if (::fcntl(fd(), F_OFD_SETLK, &lock) == 0) return;
  if (errno != EAGAIN && errno != EACCES) throw_failure(path_, "lock the file", errno);
  throw store_error(store_problem::in_use,
                    path_.string() +
                        ": another process has the file open for writing; close it there, or open it "
                        "here with store_options::read_only");
}

bool file_claim::has_writer_elsewhere() const noexcept {
  struct ::flock lock = writer_lock(F_WRLCK);
  return ::fcntl(fd(), F_OFD_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
}

void file_claim::tell_forks_to(file_health& health) noexcept { claim_list::only().tell_forks(identity_, health); }

}  // namespace tact::lmdb
