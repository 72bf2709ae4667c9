// Measures one sound file by EBU R128, piece by piece or as a whole: decoding and arithmetic.
#pragma once

#include <filesystem>
#include <optional>

#include "meter.hpp"
#include "result.hpp"

namespace loudness {

// For a thread that has other things to do between two pieces. A piece takes a few milliseconds, whatever the file.
class measuring {
 public:
  explicit measuring(std::filesystem::path path) : path_(std::move(path)) {}

  // Measures the next piece. A result: that was the last one.
  std::optional<result> advance();
  // How much of the file was measured, from 0 to 1.
  [[nodiscard]] double share() const noexcept;

 private:
  std::optional<measurement> take_piece();

  std::filesystem::path path_;
  std::optional<meter> meter_;  // from the first piece on
};

result measure(const std::filesystem::path& path);

}  // namespace loudness
