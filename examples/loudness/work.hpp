// What is told of the work while it goes on, and the sum of that.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <vector>

#include <tact/tact.hpp>

#include "listing.hpp"

namespace loudness {

// What is to be measured and to be searched, found by having searched so many folders.
struct found {
  std::vector<candidate> files{};
  std::vector<std::filesystem::path> folders{};
  std::size_t searched = 0;
};

// So much of the files was measured in that time; with it so many ended, some of these without figures, some cut short,
// and some known before.
struct work_done {
  std::uint64_t bytes = 0;
  std::chrono::nanoseconds took{0};
  std::size_t files = 0;
  std::size_t failed = 0;
  std::size_t cut_short = 0;
  std::size_t known = 0;
};

struct work_report : tact::protocol<found, work_done> {};

// Holds up those that work, and lets them go on.
struct pause {};
struct go_on {};

struct tally {
  std::size_t folders_left = 0;
  std::size_t files = 0;
  std::size_t files_done = 0;
  std::size_t files_failed = 0;
  std::size_t files_cut_short = 0;
  std::size_t files_known = 0;
  std::uint64_t bytes = 0;
  std::uint64_t bytes_done = 0;
  std::chrono::nanoseconds took{0};

  void add(const found& m) noexcept {
    folders_left += m.folders.size();
    folders_left -= m.searched;
    files += m.files.size();
    for (const candidate& file : m.files) bytes += file.bytes;
  }
  void add(const work_done& m) noexcept {
    files_done += m.files;
    files_failed += m.failed;
    files_cut_short += m.cut_short;
    files_known += m.known;
    bytes_done += m.bytes;
    took += m.took;
  }
  [[nodiscard]] bool is_complete() const noexcept { return folders_left == 0 && files_done == files; }
  // From 0 to 1.
  [[nodiscard]] double share() const noexcept {
    return bytes == 0 ? 0.0 : static_cast<double>(bytes_done) / static_cast<double>(bytes);
  }
};

}  // namespace loudness
