// The claim of this process on a store file: one opening of a file at a time, and one writer among all processes.
#pragma once

#include <sys/types.h>

#include <filesystem>

#include "store/disk/file_health.hpp"

namespace tact::lmdb {

// A file descriptor that is closed.
class descriptor {
 public:
  explicit descriptor(int fd = -1) noexcept : fd_(fd) {}
  descriptor(descriptor&& other) noexcept : fd_(other.fd_) { other.fd_ = -1; }
  descriptor& operator=(descriptor&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~descriptor() { close(); }

  [[nodiscard]] int get() const noexcept { return fd_; }
  [[nodiscard]] explicit operator bool() const noexcept { return fd_ >= 0; }
  void close() noexcept;

 private:
  int fd_;
};

// What makes two paths the same file.
struct file_identity {
  dev_t device = 0;
  ino_t inode = 0;
  auto operator<=>(const file_identity&) const = default;
};

// LMDB loses the locks of a file that one process opens twice: closing one descriptor of its lock file gives up the
// locks of all, and the next process that comes resets the readers. So a file is known by its device and inode,
// whatever its path. Writers of several processes are kept apart by a lock on the data file, which LMDB itself does not
// lock. It belongs to an open descriptor, and not to the process.
class file_claim {
 public:
  enum class use : unsigned char {
    read,
    write,  // no other process writes
    alone,  // no other process has it open
  };
  // REQUIRES: `fd` is open for the file, for writing unless `use` is read. Throws store_error: in_use, not_opened.
  file_claim(const std::filesystem::path& path, descriptor fd, use as);
  file_claim(const file_claim&) = delete;
  file_claim& operator=(const file_claim&) = delete;
  ~file_claim();

  [[nodiscard]] int fd() const noexcept { return fd_.get(); }
  [[nodiscard]] const file_identity& identity() const noexcept { return identity_; }
  // True: a process has the file open for writing.
  [[nodiscard]] bool has_writer_elsewhere() const noexcept;
  // Who is told when the process forks.
  void tell_forks_to(file_health& health) noexcept;

 private:
  void lock(use as) const;

  const std::filesystem::path path_;
  descriptor fd_;
  file_identity identity_;
};

}  // namespace tact::lmdb
