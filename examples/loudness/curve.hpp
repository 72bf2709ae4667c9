// The loudness of a sound file over its time: the short-term loudness of EBU R128, piece by piece.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "meter.hpp"

namespace loudness {

// A value is that of the three seconds before it.
inline constexpr double curve_begin_s = 3.0;
inline constexpr double curve_step_s = 0.1;

// So much of a curve as one piece of the work gives.
struct curve_piece {
  std::vector<float> values{};  // LUFS, minus infinity for silence; they follow those of the piece before
  double duration_s = 0.0;      // of the whole file, as it says itself; in the end that of what is there
  bool is_last = false;
  std::string failure{};  // why it is the last one, if the file has not ended
};

class curve_tracing {
 public:
  explicit curve_tracing(std::filesystem::path path) : path_(std::move(path)) {}

  // Not behind the last one.
  curve_piece advance();

 private:
  void extend(curve_piece& piece);

  std::filesystem::path path_;
  std::optional<meter> meter_;  // from the first piece on
};

}  // namespace loudness
