// A store file that is open: what its readers and its writer share.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "store/disk/environment.hpp"
#include "store/disk/file_health.hpp"
#include "store/disk/table_list.hpp"
#include "tact/store/store_options.hpp"

namespace tact::lmdb {

struct open_file {
  open_file(const std::filesystem::path& path, const store_options& opened_with);

  const std::filesystem::path path;
  const store_options options;
  file_health health;
  environment env;
  table_list tables;
  // What the header says of the version; of a file that is open for reading, what it said when it was opened.
  std::uint64_t version_ahead = 0;

  // The version that the transaction reads, or makes.
  [[nodiscard]] std::uint64_t version_of(MDB_txn* txn) const;
};

// "FILE, table \"NAME\", key \"KEY\"": as text, or in hexadecimal digits where it is none.
[[nodiscard]] std::string entry_name(const std::filesystem::path& file, std::string_view table, std::string_view key);
[[nodiscard]] std::string printable(std::string_view bytes);

// The value without its checksum. Throws store_error: damaged.
[[nodiscard]] std::string_view checked_value(const open_file& in, MDB_dbi table, std::string_view key,
                                             std::string_view stored);

}  // namespace tact::lmdb
