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

// Bytes far behind every file.
constexpr off_t writer_byte = off_t{1} << 62;
constexpr off_t opening_byte = writer_byte + 1;

struct ::flock lock_of(off_t byte, short type) noexcept {
  struct ::flock lock {};
  lock.l_type = type;
  lock.l_whence = SEEK_SET;
  lock.l_start = byte;
  lock.l_len = 1;
  return lock;
}

// False: another process has a lock that is in the way.
bool try_lock(const std::filesystem::path& path, int fd, off_t byte, int type) {
  struct ::flock lock = lock_of(byte, static_cast<short>(type));
  if (::fcntl(fd, F_OFD_SETLK, &lock) == 0) return true;
  if (errno != EAGAIN && errno != EACCES) throw_failure(path, "lock the file", errno);
  return false;
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

file_claim::file_claim(const std::filesystem::path& path, descriptor fd, use as)
    : path_(path), fd_(std::move(fd)), identity_(identity_of(path, fd_.get())) {
  const std::filesystem::path already = claim_list::only().add(identity_, path, fd_.get());
  if (!already.empty()) {
    throw store_error(store_problem::in_use, path.string() + ": this process has the file open already, as " +
                                                 already.string() + "; share that store instead of a second opening");
  }
  try {
    lock(as);
  } catch (...) {
    claim_list::only().remove(identity_);
    throw;
  }
}

file_claim::~file_claim() { claim_list::only().remove(identity_); }

void file_claim::lock(use as) const {
  if (as != use::read && !try_lock(path_, fd(), writer_byte, F_WRLCK)) {
    throw store_error(store_problem::in_use,
                      path_.string() +
                          ": another process has the file open for writing; close it there, or open it "
                          "here with store_options::read_only");
  }
  if (!try_lock(path_, fd(), opening_byte, as == use::alone ? F_WRLCK : F_RDLCK)) {
    throw store_error(
        store_problem::in_use,
        path_.string() + (as == use::alone ? ": another process has the file open; close it there"
                                           : ": another process replaces the file at this moment; try again"));
  }
}

bool file_claim::has_writer_elsewhere() const noexcept {
  struct ::flock lock = lock_of(writer_byte, F_WRLCK);
  return ::fcntl(fd(), F_OFD_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
}

void file_claim::tell_forks_to(file_health& health) noexcept { claim_list::only().tell_forks(identity_, health); }

}  // namespace tact::lmdb
