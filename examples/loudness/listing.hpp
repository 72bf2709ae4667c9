// What one folder holds that matters here: sound files and folders.
#pragma once

#include <compare>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace loudness {

// A file that waits to be measured. Ordered for that: the largest first, so that none is left for the end.
struct candidate {
  std::uintmax_t bytes = 0;
  std::string path;

  friend bool operator==(const candidate&, const candidate&) = default;
  friend std::strong_ordering operator<=>(const candidate& a, const candidate& b) {
    if (a.bytes != b.bytes) return b.bytes <=> a.bytes;
    return a.path <=> b.path;
  }
};

struct listing {
  std::vector<std::filesystem::path> folders;
  std::vector<candidate> files;
};

// Not recursive. Throws std::filesystem::filesystem_error for a folder that cannot be read.
listing list_folder(const std::filesystem::path& folder);

// The path is made normal, so that a file found twice is the same candidate.
candidate make_candidate(const std::filesystem::path& file);

}  // namespace loudness
