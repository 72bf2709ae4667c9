// Copies of store files: a backup while the file is in use, a file without what is free, a backup that is restored.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>

#include "store/disk/environment.hpp"

namespace tact::lmdb {

// Told about once a second, with the bytes of the copy.
using copy_progress = std::function<void(std::uint64_t bytes)>;

enum class copied : unsigned char { as_it_is, compact };

// A file beside `to` that gets its name when it is whole and on the disk. All throw store_error.
class new_copy {
 public:
  explicit new_copy(const std::filesystem::path& to);
  new_copy(const new_copy&) = delete;
  new_copy& operator=(const new_copy&) = delete;
  ~new_copy();

  // One version of the file, while others read and write it. REQUIRES: the map does not change meanwhile.
  void take(const environment& from, copied how, const copy_progress& tell);
  // It was closed in order, and has this version.
  void set_version(std::uint64_t version);
  // Takes the place of a file that was there.
  void name();

 private:
  const std::filesystem::path to_;
  const std::filesystem::path temporary_;
};

// REQUIRES: the map does not change meanwhile. Throws store_error: in_use, not_opened.
void back_up(const environment& from, const std::filesystem::path& to, const copy_progress& tell);

// Each is for a file that no process has open. Throw store_error: in_use, damaged, not_opened.
void compact_file(const std::filesystem::path& file, const copy_progress& tell);
// The version of the restored file is far higher than any that was in use before.
void restore_file(const std::filesystem::path& backup, const std::filesystem::path& file, const copy_progress& tell);
// Another process may write to the file.
void back_up_file(const std::filesystem::path& file, const std::filesystem::path& to, const copy_progress& tell);

}  // namespace tact::lmdb
