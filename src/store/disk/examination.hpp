// Looks at a whole store file: each entry of each table, and what LMDB keeps of them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace tact::lmdb {

struct findings {
  std::uint64_t tables = 0;
  std::uint64_t entries = 0;
  std::uint64_t version = 0;
  bool was_closed = true;         // in order, or another process has it open
  bool is_all_looked_at = false;  // every entry
  // Each names what is damaged. More than the first few are not kept.
  std::vector<std::string> problems{};
};

enum class depth : unsigned char {
  as_needed,  // the header; all, if the file was not closed in order or is too short
  all,
  header_in_use,  // while another process writes
  all_in_use,
};

// Told about once a second.
using progress = std::function<void(std::string_view table, std::uint64_t entries)>;

// In this process: LMDB ends it over some kinds of damage. Throws store_error of what cannot be opened.
[[nodiscard]] findings examine(const std::filesystem::path& file, depth how, const progress& tell);

// In a child process, whose end is a finding too. The child is a copy of this process by fork, in which only this runs.
// Throws store_error: not_opened.
[[nodiscard]] findings examine_apart(const std::filesystem::path& file, depth how, const progress& tell = {});

}  // namespace tact::lmdb
