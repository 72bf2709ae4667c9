// LMDB's environment and transactions as objects, with errors that name the file.
#pragma once

#include <lmdb.h>

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>

#include "tact/store/store_error.hpp"

namespace tact::lmdb {

struct environment_limits {
  std::size_t map_bytes = 0;
  unsigned readers = 126;
  unsigned tables = 64;
  bool read_only = false;
};

// "FILE: cannot DO IT: the reason", with what can be done if that is known.
[[nodiscard]] std::string failure_text(const std::filesystem::path& file, std::string_view doing, int code);
// The problem that a code of LMDB, or of the system, stands for when a file is opened or read.
[[nodiscard]] store_problem problem_of(int code) noexcept;
[[noreturn]] void throw_failure(const std::filesystem::path& file, std::string_view doing, int code);
// store_error: damaged, with what can be done.
[[noreturn]] void throw_damaged_file(const std::filesystem::path& file, const std::string& what);
// True: the file has what LMDB has never written.
[[nodiscard]] bool is_damage(int code) noexcept;

[[nodiscard]] inline MDB_val bytes_of(std::string_view text) noexcept {
  return {text.size(), const_cast<char*>(text.data())};
}
[[nodiscard]] inline std::string_view text_of(const MDB_val& v) noexcept {
  return {static_cast<const char*>(v.mv_data), v.mv_size};
}
[[nodiscard]] std::size_t page_bytes() noexcept;
// Whole pages, and no more than the address space has.
[[nodiscard]] std::size_t map_size(std::size_t bytes) noexcept;

class environment {
 public:
  // Throws store_error.
  environment(std::filesystem::path file, const environment_limits& limits);
  environment(const environment&) = delete;
  environment& operator=(const environment&) = delete;
  ~environment() { close(); }

  [[nodiscard]] MDB_env* get() const noexcept { return env_; }
  [[nodiscard]] const std::filesystem::path& file() const noexcept { return file_; }
  [[nodiscard]] unsigned tables_max() const noexcept { return tables_max_; }
  // REQUIRES: no transaction is open.
  void close() noexcept;
  // Forgets it as it is, in a child of fork.
  void abandon() noexcept { env_ = nullptr; }

 private:
  [[nodiscard]] int know_main_table() noexcept;

  std::filesystem::path file_;
  unsigned tables_max_ = 0;
  MDB_env* env_ = nullptr;
};

// A transaction that is aborted unless it is committed.
class file_transaction {
 public:
  file_transaction() = default;
  file_transaction(file_transaction&& other) noexcept : txn_(std::exchange(other.txn_, nullptr)) {}
  file_transaction& operator=(file_transaction&& other) noexcept {
    std::swap(txn_, other.txn_);
    return *this;
  }
  ~file_transaction() { abort(); }

  [[nodiscard]] int begin(MDB_env* env, unsigned flags) noexcept {
    abort();
    const int code = mdb_txn_begin(env, nullptr, flags, &txn_);
    if (code != 0) txn_ = nullptr;
    return code;
  }
  [[nodiscard]] int commit() noexcept { return mdb_txn_commit(std::exchange(txn_, nullptr)); }
  void abort() noexcept {
    if (txn_ != nullptr) mdb_txn_abort(std::exchange(txn_, nullptr));
  }
  [[nodiscard]] MDB_txn* get() const noexcept { return txn_; }
  [[nodiscard]] MDB_txn* release() noexcept { return std::exchange(txn_, nullptr); }

 private:
  MDB_txn* txn_ = nullptr;
};

}  // namespace tact::lmdb
