// A disk whose every call is known: what the store asks of the system is done, logged in its order, and may be made to
// fail. The calls come from system_calls.cpp, which stands in for those of the C library.
#pragma once

#include <sys/types.h>

#include <cerrno>
#include <cstdint>
#include <filesystem>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "base/random.hpp"

namespace tact::store_tests {

// The files of a folder: names and what is in them.
using image = std::map<std::string, std::string>;
image read_folder(const std::filesystem::path& folder);
// Makes the folder have these files and no others.
void write_folder(const std::filesystem::path& folder, const image& files);
// The lock file has nothing that lasts.
bool is_lock_file(const std::string& name);

struct disk_event {
  enum class sort : unsigned char {
    creation,         // of the file, by the name `text`
    renaming,         // of `text` to `to`
    removal,          // of the name `text`
    directory_flush,  // what was done to names lasts
    write,            // of `text` at `at`
    resizing,         // to `at` bytes
    flush,            // what was written to the file lasts: `bytes` of it from `at` on
    failed_flush,     // some of it may last; `luck` decides
    mark,             // of the test: what it is about is in `file` and `at`
  };
  sort what = sort::mark;
  unsigned file = 0;
  std::uint64_t at = 0;
  std::uint64_t bytes = 0;
  std::string text{};
  std::string to{};
  std::uint64_t luck = 0;
};

// Which calls fail, and how.
struct planned_failure {
  enum class call : unsigned char { none, write, synced_write, flush, directory_flush };
  call of = call::none;
  std::uint64_t nth = 1;    // counted from when it is planned
  std::uint64_t times = 1;  // how many in a row
  int error = EIO;          // 0: half of it is written, and the call says so
  std::uint64_t luck = 0;
};

// While it lives, calls that are about files in its folder are logged. One at a time.
class simulated_disk {
 public:
  explicit simulated_disk(std::filesystem::path folder);
  ~simulated_disk();
  simulated_disk(const simulated_disk&) = delete;
  simulated_disk& operator=(const simulated_disk&) = delete;

  [[nodiscard]] static simulated_disk* current() noexcept;

  // What was there at first, and what was done since.
  [[nodiscard]] const image& at_first() const noexcept { return at_first_; }
  [[nodiscard]] const std::vector<disk_event>& log() const noexcept { return log_; }
  void mark(unsigned what, std::uint64_t of);
  void plan(const planned_failure& f);
  // What is flushed from now on is not, as if the call was forgotten.
  void ignore(planned_failure::call flushes);
  // Whether a call has failed since it was planned.
  [[nodiscard]] bool has_failed() const noexcept { return failures_ != 0; }

  // The calls. Those that return bool say whether they have taken the call, and its result then.
  void opened(int fd, int flags, bool was_there);
  void closed(int fd);
  bool write(int fd, const char* data, std::size_t bytes, off_t at, ssize_t& result);
  bool flush(int fd, int& result);
  bool resize(int fd, off_t bytes, int& result);
  void renamed(const std::string& from, const std::string& to);
  void linked(const std::string& name);
  void removed(const std::string& name);

 private:
  struct open_file {
    unsigned file = 0;
    bool is_synced = false;
    bool is_folder = false;
    int untold = 0;  // the error of a flush that has failed by another descriptor: Linux tells each one once
  };

  [[nodiscard]] open_file* find(int fd);
  [[nodiscard]] std::string name_in_folder(const std::string& path) const;
  bool fails(planned_failure::call c);
  void leave_untold(const open_file& by);
  // Whether the flush, which was done, says that an earlier one has failed.
  static bool tells(open_file& f);
  ssize_t write_now(int fd, const open_file& f, const char* data, std::size_t bytes, off_t at);

  const std::filesystem::path folder_;
  image at_first_;
  std::mutex mutex_{};
  // Below: guarded by the mutex.
  std::vector<disk_event> log_{};
  std::map<int, open_file> open_{};
  std::map<ino_t, unsigned> files_{};
  unsigned files_ever_ = 0;
  planned_failure plan_{};
  planned_failure::call ignored_ = planned_failure::call::none;
  std::uint64_t calls_ = 0;
  std::uint64_t failures_ = 0;
};

}  // namespace tact::store_tests
