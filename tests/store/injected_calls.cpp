#include "store/injected_calls.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cerrno>

// The symbols of the C library are found in the program first, so LMDB calls these.

namespace {

using tact::support::injected_calls;
using tact::support::written_by;

template <class F>
F* next(const char* name) {
  return reinterpret_cast<F*>(::dlsym(RTLD_NEXT, name));
}

bool fails(written_by what) {
  const int error = injected_calls::take(what);
  if (error != 0) errno = error;
  return error != 0;
}

// The descriptor for meta pages writes only, and each write waits for the disk.
bool is_for_meta(int fd) {
  const int flags = ::fcntl(fd, F_GETFL);
  return (flags & O_ACCMODE) == O_WRONLY && (flags & O_DSYNC) != 0;
}

}  // namespace

extern "C" {

// Where a file's offset has 64 bits, the header gives this function another name, which LMDB does not use.
ssize_t pwrite_of_lmdb(int fd, const void* bytes, size_t size, off_t at) __asm__("pwrite");
ssize_t pwrite_of_lmdb(int fd, const void* bytes, size_t size, off_t at) {
  static const auto real = next<ssize_t(int, const void*, size_t, off_t)>("pwrite");
  if (fails(is_for_meta(fd) ? written_by::meta : written_by::data)) return -1;
  return real(fd, bytes, size, at);
}

ssize_t writev(int fd, const struct iovec* parts, int count) {
  static const auto real = next<ssize_t(int, const struct iovec*, int)>("writev");
  if (fails(written_by::data)) return -1;
  return real(fd, parts, count);
}

int fdatasync(int fd) {
  static const auto real = next<int(int)>("fdatasync");
  return fails(written_by::sync) ? -1 : real(fd);
}

}  // extern "C"
