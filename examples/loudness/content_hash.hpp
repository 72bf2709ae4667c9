// The hash of what a file holds: by it a file is known again that has another name, or only another time.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace loudness {

struct content_hash {
  std::uint64_t high = 0;
  std::uint64_t low = 0;

  friend auto operator<=>(const content_hash&, const content_hash&) = default;
};

// MurmurHash3 by Austin Appleby, the one of 128 bits. It is several times as fast as decoding, and files that differ by
// chance never have the same one; somebody who wants to may make two that have.
class hasher {
 public:
  // REQUIRES: whole blocks of 16 bytes
  void add(std::span<const unsigned char> blocks) noexcept;
  // With what is left, less than a block.
  [[nodiscard]] content_hash end(std::span<const unsigned char> rest) noexcept;

  static constexpr std::size_t block_bytes = 16;

 private:
  std::uint64_t high_ = 0;
  std::uint64_t low_ = 0;
  std::uint64_t bytes_ = 0;
};

// Of a file, piece by piece, for a thread that has other things to do between two pieces.
class file_hashing {
 public:
  explicit file_hashing(std::filesystem::path path) : path_(std::move(path)) {}

  // Reads the next piece. A hash: that was the last one. Throws sound_error.
  std::optional<content_hash> advance();

 private:
  std::filesystem::path path_;
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file_{nullptr, &std::fclose};  // from the first piece on
  std::vector<unsigned char> piece_{};
  hasher hash_{};
};

}  // namespace loudness
