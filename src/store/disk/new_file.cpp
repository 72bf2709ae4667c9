#include "store/disk/new_file.hpp"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include <cerrno>

#include "store/disk/environment.hpp"
#include "store/disk/file_claim.hpp"
#include "store/disk/header.hpp"
#include "sync/policy.hpp"

namespace tact::lmdb {

namespace {

constexpr std::size_t new_map_bytes = 1u << 20;

// LMDB writes the first pages of a new file without a sync; the commit of the header has one.
void write_empty(const std::filesystem::path& path) {
  const environment env(path, {.map_bytes = new_map_bytes});
  file_transaction t;
  int code = t.begin(env.get(), 0);
  if (code == 0) code = write_header(t.get(), {});
  if (code == 0) code = t.commit();
  if (code != 0) throw_failure(path, "write a new file", code);
}

struct removed_at_end {
  explicit removed_at_end(const std::filesystem::path& p) : path(p) {}
  removed_at_end(const removed_at_end&) = delete;
  removed_at_end& operator=(const removed_at_end&) = delete;
  ~removed_at_end() {
    ::unlink(path.c_str());
    ::unlink(lock.c_str());
  }
  const std::filesystem::path path;
  const std::filesystem::path lock = lock_file_of(path);
};

}  // namespace

std::filesystem::path lock_file_of(const std::filesystem::path& path) { return path.string() + "-lock"; }

std::filesystem::path temporary_beside(const std::filesystem::path& path) {
  static sync::atomic<unsigned> made{0};
  return path.string() + ".new-" + std::to_string(::getpid()) + "-" + std::to_string(made.fetch_add(1));
}

int sync_folder_of(const std::filesystem::path& path) noexcept {
  try {
    const std::filesystem::path folder = path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
    const descriptor fd(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    return fd && ::fsync(fd.get()) == 0 ? 0 : errno;
  } catch (...) {
    return ENOMEM;
  }
}

int give_name(const std::filesystem::path& temporary, const std::filesystem::path& path, bool replace) noexcept {
  if (replace) return ::rename(temporary.c_str(), path.c_str()) == 0 ? 0 : errno;
  if (::renameat2(AT_FDCWD, temporary.c_str(), AT_FDCWD, path.c_str(), RENAME_NOREPLACE) == 0) return 0;
  // Not every file system knows how to leave an older file alone.
  if (errno != EINVAL && errno != ENOSYS) return errno;
  return ::link(temporary.c_str(), path.c_str()) == 0 ? 0 : errno;
}

void make_if_missing(const std::filesystem::path& path) {
  if (::access(path.c_str(), F_OK) == 0) return;
  const removed_at_end temporary(temporary_beside(path));
  write_empty(temporary.path);
  const int code = give_name(temporary.path, path, false);
  if (code != 0 && code != EEXIST) throw_failure(path, "make the file", code);
}

}  // namespace tact::lmdb
