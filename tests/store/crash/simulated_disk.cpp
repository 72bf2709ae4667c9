#include "store/crash/simulated_disk.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <utility>

namespace tact::store_tests {

namespace {

std::atomic<simulated_disk*> the_disk{nullptr};

std::string path_of(int fd) {
  std::string path(4096, '\0');
  const ssize_t n = ::readlink(("/proc/self/fd/" + std::to_string(fd)).c_str(), path.data(), path.size());
  path.resize(n < 0 ? 0 : static_cast<std::size_t>(n));
  return path;
}

ino_t inode_of(int fd) {
  struct stat s {};
  return ::fstat(fd, &s) == 0 ? s.st_ino : 0;
}

}  // namespace

image read_folder(const std::filesystem::path& folder) {
  image files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    std::ifstream in(entry.path(), std::ios::binary);
    files[entry.path().filename()] = std::string(std::istreambuf_iterator<char>(in), {});
  }
  return files;
}

void write_folder(const std::filesystem::path& folder, const image& files) {
  std::filesystem::create_directories(folder);
  for (const auto& entry : std::filesystem::directory_iterator(folder)) std::filesystem::remove_all(entry.path());
  for (const auto& [name, bytes] : files) {
    const int fd = ::open((folder / name).c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    const bool written = fd >= 0 && ::write(fd, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size());
    if (fd >= 0) ::close(fd);
    if (!written) throw std::runtime_error("cannot write " + (folder / name).string());
  }
}

bool is_lock_file(const std::string& name) { return name.find("lock") != std::string::npos; }

simulated_disk::simulated_disk(std::filesystem::path folder)
    : folder_(std::filesystem::canonical(folder)), at_first_(read_folder(folder_)) {
  std::erase_if(at_first_, [](const auto& f) { return is_lock_file(f.first); });
  for (const auto& [name, bytes] : at_first_) {
    struct stat s {};
    if (::stat((folder_ / name).c_str(), &s) != 0) throw std::runtime_error("no " + name);
    files_[s.st_ino] = files_ever_++;
  }
  if (the_disk.exchange(this) != nullptr) throw std::logic_error("two simulated disks at once");
}

simulated_disk::~simulated_disk() { the_disk = nullptr; }

simulated_disk* simulated_disk::current() noexcept { return the_disk; }

void simulated_disk::mark(unsigned what, std::uint64_t of) {
  const std::lock_guard lock(mutex_);
  log_.push_back({.what = disk_event::sort::mark, .file = what, .at = of});
}

void simulated_disk::plan(const planned_failure& f) {
  const std::lock_guard lock(mutex_);
  plan_ = f;
  calls_ = failures_ = 0;
}

void simulated_disk::ignore(planned_failure::call flushes) {
  const std::lock_guard lock(mutex_);
  ignored_ = flushes;
}

void simulated_disk::opened(int fd, int flags, bool was_there) {
  const std::string path = path_of(fd);
  const std::lock_guard lock(mutex_);
  if (path == folder_) {
    open_[fd] = {.is_folder = true};
    return;
  }
  const std::string name = name_in_folder(path);
  if (name.empty() || is_lock_file(name)) return;
  const auto [at, is_new] = files_.try_emplace(inode_of(fd), files_ever_);
  if (is_new) {
    if (was_there) throw std::logic_error("a file that no call has made: " + path);
    log_.push_back({.what = disk_event::sort::creation, .file = files_ever_++, .text = name});
  }
  open_[fd] = {.file = at->second, .is_synced = (flags & O_DSYNC) != 0};
  if ((flags & O_TRUNC) != 0) log_.push_back({.what = disk_event::sort::resizing, .file = at->second});
}

void simulated_disk::closed(int fd) {
  const std::lock_guard lock(mutex_);
  open_.erase(fd);
}

simulated_disk::open_file* simulated_disk::find(int fd) {
  const auto at = open_.find(fd);
  return at == open_.end() ? nullptr : &at->second;
}

// Empty: it is not there.
std::string simulated_disk::name_in_folder(const std::string& path) const {
  const std::filesystem::path p = std::filesystem::path(path).lexically_normal();
  return p.parent_path() == folder_ ? p.filename().string() : std::string();
}

bool simulated_disk::fails(planned_failure::call c) {
  if (plan_.of != c) return false;
  ++calls_;
  if (calls_ < plan_.nth || calls_ - plan_.nth >= plan_.times) return false;
  ++failures_;
  errno = plan_.error;
  return true;
}

void simulated_disk::leave_untold(const open_file& by) {
  for (auto& [fd, f] : open_)
    if (!f.is_folder && f.file == by.file && &f != &by) f.untold = plan_.error;
}

bool simulated_disk::tells(open_file& f) {
  if (f.untold == 0) return false;
  errno = std::exchange(f.untold, 0);
  return true;
}

bool simulated_disk::write(int fd, const char* data, std::size_t bytes, off_t at, ssize_t& result) {
  const std::lock_guard lock(mutex_);
  open_file* f = find(fd);
  if (f == nullptr || f->is_folder) return false;
  const bool fails_here = fails(f->is_synced ? planned_failure::call::synced_write : planned_failure::call::write);
  // A synced write that fails with EIO is in the cache, and nothing says whether it is on the disk.
  const bool is_torn_off = fails_here && plan_.error == 0;
  const bool is_in_cache = fails_here && f->is_synced && plan_.error == EIO;
  if (fails_here && !is_torn_off && !is_in_cache) {
    result = -1;
    return true;
  }
  result = write_now(fd, *f, data, is_torn_off ? bytes / 2 : bytes, at);
  if (result > 0 && f->is_synced)
    log_.push_back({.what = is_in_cache ? disk_event::sort::failed_flush : disk_event::sort::flush,
                    .file = f->file,
                    .at = static_cast<std::uint64_t>(at),
                    .bytes = static_cast<std::uint64_t>(result),
                    .luck = plan_.luck + failures_});
  if (is_in_cache) {
    leave_untold(*f);
    errno = EIO;
    result = -1;
  } else if (f->is_synced && tells(*f)) {
    result = -1;
  }
  return true;
}

ssize_t simulated_disk::write_now(int fd, const open_file& f, const char* data, std::size_t bytes, off_t at) {
  const ssize_t written = ::syscall(SYS_pwrite64, fd, data, bytes, at);
  if (written > 0)
    log_.push_back({.what = disk_event::sort::write,
                    .file = f.file,
                    .at = static_cast<std::uint64_t>(at),
                    .text = std::string(data, static_cast<std::size_t>(written))});
  return written;
}

bool simulated_disk::flush(int fd, int& result) {
  const std::lock_guard lock(mutex_);
  open_file* f = find(fd);
  if (f == nullptr) return false;
  const auto asked = f->is_folder ? planned_failure::call::directory_flush : planned_failure::call::flush;
  const bool fails_here = fails(asked);
  result = fails_here ? -1 : 0;
  if (asked == ignored_) return true;
  if (f->is_folder) {
    if (!fails_here) log_.push_back({.what = disk_event::sort::directory_flush});
    return true;
  }
  log_.push_back({.what = fails_here ? disk_event::sort::failed_flush : disk_event::sort::flush,
                  .file = f->file,
                  .bytes = ~std::uint64_t{0},
                  .luck = plan_.luck + failures_});
  if (fails_here) leave_untold(*f);
  if (!fails_here && tells(*f)) result = -1;
  if (fails_here) errno = plan_.error;
  return true;
}

bool simulated_disk::resize(int fd, off_t bytes, int& result) {
  const std::lock_guard lock(mutex_);
  open_file* f = find(fd);
  if (f == nullptr || f->is_folder) return false;
  result = static_cast<int>(::syscall(SYS_ftruncate, fd, bytes));
  if (result == 0)
    log_.push_back({.what = disk_event::sort::resizing, .file = f->file, .at = static_cast<std::uint64_t>(bytes)});
  return true;
}

void simulated_disk::renamed(const std::string& from, const std::string& to) {
  const std::lock_guard lock(mutex_);
  const std::string old_name = name_in_folder(std::filesystem::absolute(from));
  const std::string new_name = name_in_folder(std::filesystem::absolute(to));
  if (old_name.empty() || new_name.empty()) return;
  log_.push_back({.what = disk_event::sort::renaming, .text = old_name, .to = new_name});
}

void simulated_disk::linked(const std::string& path) {
  const std::lock_guard lock(mutex_);
  const std::string name = name_in_folder(std::filesystem::absolute(path));
  struct stat s {};
  if (name.empty() || ::stat(path.c_str(), &s) != 0 || !files_.contains(s.st_ino)) return;
  log_.push_back({.what = disk_event::sort::creation, .file = files_[s.st_ino], .text = name});
}

void simulated_disk::removed(const std::string& path) {
  const std::lock_guard lock(mutex_);
  const std::string name = name_in_folder(std::filesystem::absolute(path));
  if (name.empty() || is_lock_file(name)) return;
  log_.push_back({.what = disk_event::sort::removal, .text = name});
}

}  // namespace tact::store_tests
