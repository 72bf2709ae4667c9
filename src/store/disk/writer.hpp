// What writes to a file that is open, and decides what a failure means.
#pragma once

#include <mutex>
#include <span>
#include <string>
#include <string_view>

#include "store/disk/group.hpp"
#include "store/disk/snapshots.hpp"

namespace tact::lmdb {

// Thread safety: any thread; they write one after the other.
class writer {
 public:
  // `fd`: a descriptor of the file that is no other's. `is_marked`: the header says that the file is open.
  writer(open_file& file, snapshots& readers, int fd, bool is_marked)
      : file_(file), readers_(readers), fd_(fd), is_marked_(is_marked) {}

  [[nodiscard]] commit_result commit(std::span<const byte_change> changes);
  // Throws store_error.
  [[nodiscard]] MDB_dbi open_table(std::string_view name);
  // The file says that it was closed in order.
  void close() noexcept;

 private:
  [[nodiscard]] commit_result write(const writing& write, std::size_t bytes);
  [[nodiscard]] commit_result refused(std::string why) const;
  [[nodiscard]] commit_result stopped(commit_result::fate fate, std::string why);
  [[nodiscard]] commit_result judge(const group_outcome& failed);
  // None: try again.
  [[nodiscard]] std::optional<commit_result> grow(int code, std::size_t bytes);
  [[nodiscard]] bool is_whole_after_refusal();
  void look_at_readers() noexcept;
  [[nodiscard]] int open_existing(std::string_view name, MDB_dbi& table);
  [[nodiscard]] MDB_dbi make_table(std::string_view name);

  open_file& file_;
  snapshots& readers_;
  const int fd_;

  std::mutex mutex_;  // a transaction of LMDB that writes begins and ends on one thread
  bool is_marked_;
  std::size_t looked_at_bytes_ = 0;  // how large the file was when the readers were looked at
};

}  // namespace tact::lmdb
