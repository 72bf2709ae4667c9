// What tells without a look into it whether a file has changed: its size, and when it was written.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

namespace loudness {

struct file_stamp {
  std::uint64_t bytes = 0;
  std::int64_t written_ns = 0;  // since 1970

  friend bool operator==(const file_stamp&, const file_stamp&) = default;
};

// Nothing: there is no such file, or it is no regular one.
std::optional<file_stamp> stamp_of(const std::filesystem::path& path);

}  // namespace loudness
