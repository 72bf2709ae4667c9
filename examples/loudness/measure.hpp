// Measures one sound file by EBU R128, piece by piece or as a whole: decoding and arithmetic.
#pragma once

#include <filesystem>
#include <optional>

#include "level_track.hpp"
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
  // How loud it was in each tenth of a second of what was measured.
  [[nodiscard]] const level_track& track() const noexcept { return track_; }

 private:
  std::optional<measurement> take_piece();
  bool play_tenth();

  std::filesystem::path path_;
  std::optional<meter> meter_;  // from the first piece on
  level_track track_{};
};

result measure(const std::filesystem::path& path);

}  // namespace loudness
