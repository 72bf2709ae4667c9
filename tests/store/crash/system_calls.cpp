// Stands in for the calls of the C library by which LMDB and the store reach the disk: they do what they always do, but
// for files in the folder of a simulated disk, which they ask. Nothing is flushed there, since no power is cut there.
//
// Labels of the assembler name them, because their declarations differ with the settings of the compiler.
#include <fcntl.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cerrno>
#include <cstdarg>
#include <cstdint>
#include <string>

#include "store/crash/simulated_disk.hpp"

// Used by no other name than that in quotes.
#define TACT_STANDS_IN(name) __asm__(name) __attribute__((used, visibility("default")))

namespace {

using tact::store_tests::simulated_disk;

bool is_there(int folder, const char* path) { return ::syscall(SYS_faccessat, folder, path, F_OK) == 0; }

int open_file(int folder, const char* path, int flags, unsigned mode) {
  simulated_disk* disk = simulated_disk::current();
  const bool was_there = disk == nullptr || (flags & O_CREAT) == 0 || is_there(folder, path);
  const int fd = static_cast<int>(::syscall(SYS_openat, folder, path, flags, mode));
  if (disk != nullptr && fd >= 0) disk->opened(fd, flags, was_there);
  return fd;
}

ssize_t write_at(int fd, const void* data, std::size_t bytes, off_t at) {
  ssize_t result = 0;
  simulated_disk* disk = simulated_disk::current();
  if (disk != nullptr && disk->write(fd, static_cast<const char*>(data), bytes, at, result)) return result;
  return ::syscall(SYS_pwrite64, fd, data, bytes, at);
}

// At the place of the file, which moves on.
bool write_on(int fd, const std::string& all, ssize_t& result) {
  simulated_disk* disk = simulated_disk::current();
  if (disk == nullptr) return false;
  const off_t at = ::syscall(SYS_lseek, fd, 0, SEEK_CUR);
  if (at < 0 || !disk->write(fd, all.data(), all.size(), at, result)) return false;
  if (result > 0) ::syscall(SYS_lseek, fd, at + result, SEEK_SET);
  return true;
}

int flush(int fd, long otherwise) {
  int result = 0;
  simulated_disk* disk = simulated_disk::current();
  if (disk != nullptr && disk->flush(fd, result)) return result;
  return static_cast<int>(::syscall(otherwise, fd));
}

int resize(int fd, off_t bytes) {
  int result = 0;
  simulated_disk* disk = simulated_disk::current();
  if (disk != nullptr && disk->resize(fd, bytes, result)) return result;
  return static_cast<int>(::syscall(SYS_ftruncate, fd, bytes));
}

unsigned mode_in(int flags, std::va_list rest) {
  return (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(rest, unsigned) : 0;
}

}  // namespace

extern "C" {

int stand_in_open(const char*, int, ...) TACT_STANDS_IN("open");
int stand_in_open64(const char*, int, ...) TACT_STANDS_IN("open64");
int stand_in_openat(int, const char*, int, ...) TACT_STANDS_IN("openat");
int stand_in_openat64(int, const char*, int, ...) TACT_STANDS_IN("openat64");
int stand_in_close(int) TACT_STANDS_IN("close");
ssize_t stand_in_pwrite(int, const void*, std::size_t, off_t) TACT_STANDS_IN("pwrite");
ssize_t stand_in_pwrite64(int, const void*, std::size_t, off_t) TACT_STANDS_IN("pwrite64");
ssize_t stand_in_write(int, const void*, std::size_t) TACT_STANDS_IN("write");
ssize_t stand_in_writev(int, const iovec*, int) TACT_STANDS_IN("writev");
int stand_in_fsync(int) TACT_STANDS_IN("fsync");
int stand_in_fdatasync(int) TACT_STANDS_IN("fdatasync");
int stand_in_ftruncate(int, off_t) TACT_STANDS_IN("ftruncate");
int stand_in_ftruncate64(int, off_t) TACT_STANDS_IN("ftruncate64");
int stand_in_rename(const char*, const char*) TACT_STANDS_IN("rename");
int stand_in_renameat2(int, const char*, int, const char*, unsigned) TACT_STANDS_IN("renameat2");
int stand_in_link(const char*, const char*) TACT_STANDS_IN("link");
int stand_in_unlink(const char*) TACT_STANDS_IN("unlink");
int stand_in_remove(const char*) TACT_STANDS_IN("remove");

int stand_in_open(const char* path, int flags, ...) {
  std::va_list rest;
  va_start(rest, flags);
  const unsigned mode = mode_in(flags, rest);
  va_end(rest);
  return open_file(AT_FDCWD, path, flags, mode);
}

int stand_in_open64(const char* path, int flags, ...) {
  std::va_list rest;
  va_start(rest, flags);
  const unsigned mode = mode_in(flags, rest);
  va_end(rest);
  return open_file(AT_FDCWD, path, flags, mode);
}

int stand_in_openat(int folder, const char* path, int flags, ...) {
  std::va_list rest;
  va_start(rest, flags);
  const unsigned mode = mode_in(flags, rest);
  va_end(rest);
  return open_file(folder, path, flags, mode);
}

int stand_in_openat64(int folder, const char* path, int flags, ...) {
  std::va_list rest;
  va_start(rest, flags);
  const unsigned mode = mode_in(flags, rest);
  va_end(rest);
  return open_file(folder, path, flags, mode);
}

int stand_in_close(int fd) {
  if (simulated_disk* disk = simulated_disk::current()) disk->closed(fd);
  return static_cast<int>(::syscall(SYS_close, fd));
}

ssize_t stand_in_pwrite(int fd, const void* data, std::size_t bytes, off_t at) { return write_at(fd, data, bytes, at); }
ssize_t stand_in_pwrite64(int fd, const void* data, std::size_t bytes, off_t at) {
  return write_at(fd, data, bytes, at);
}

ssize_t stand_in_write(int fd, const void* data, std::size_t bytes) {
  ssize_t result = 0;
  if (simulated_disk::current() != nullptr && write_on(fd, std::string(static_cast<const char*>(data), bytes), result))
    return result;
  return ::syscall(SYS_write, fd, data, bytes);
}

ssize_t stand_in_writev(int fd, const iovec* parts, int count) {
  if (simulated_disk::current() != nullptr) {
    std::string all;
    for (int i = 0; i < count; ++i) all.append(static_cast<const char*>(parts[i].iov_base), parts[i].iov_len);
    ssize_t result = 0;
    if (write_on(fd, all, result)) return result;
  }
  return ::syscall(SYS_writev, fd, parts, count);
}

int stand_in_fsync(int fd) { return flush(fd, SYS_fsync); }
int stand_in_fdatasync(int fd) { return flush(fd, SYS_fdatasync); }
int stand_in_ftruncate(int fd, off_t bytes) { return resize(fd, bytes); }
int stand_in_ftruncate64(int fd, off_t bytes) { return resize(fd, bytes); }

int stand_in_rename(const char* from, const char* to) { return stand_in_renameat2(AT_FDCWD, from, AT_FDCWD, to, 0); }

// No caller names a folder by its descriptor.
int stand_in_renameat2(int from_folder, const char* from, int to_folder, const char* to, unsigned flags) {
  const int result = static_cast<int>(::syscall(SYS_renameat2, from_folder, from, to_folder, to, flags));
  simulated_disk* disk = simulated_disk::current();
  if (result == 0 && disk != nullptr) disk->renamed(from, to);
  return result;
}

int stand_in_link(const char* from, const char* to) {
  const int result = static_cast<int>(::syscall(SYS_linkat, AT_FDCWD, from, AT_FDCWD, to, 0));
  simulated_disk* disk = simulated_disk::current();
  if (result == 0 && disk != nullptr) disk->linked(to);
  return result;
}

int stand_in_unlink(const char* path) {
  const int result = static_cast<int>(::syscall(SYS_unlinkat, AT_FDCWD, path, 0));
  simulated_disk* disk = simulated_disk::current();
  if (result == 0 && disk != nullptr) disk->removed(path);
  return result;
}

int stand_in_remove(const char* path) {
  if (stand_in_unlink(path) == 0) return 0;
  return errno == EISDIR || errno == EPERM ? static_cast<int>(::syscall(SYS_unlinkat, AT_FDCWD, path, AT_REMOVEDIR))
                                           : -1;
}

}  // extern "C"
