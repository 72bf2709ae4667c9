// What became of one file: its figures, or the reason why there are none.
#pragma once

#include <optional>
#include <string>

#include "figure.hpp"

namespace loudness {

struct measurement {
  figure integrated;  // LUFS
  figure range;       // LU
  figure true_peak;   // dBTP, the highest of all channels
  double duration_s = 0.0;
  int channels = 0;
  int rate_hz = 0;
  std::string cut_short{};  // what of the sound is missing; empty: nothing
};

struct result {
  std::string path;
  std::optional<measurement> figures;
  std::string failure;  // why there are no figures
};

// It was measured as far as it goes, and does not go to its end.
inline bool is_cut_short(const result& row) noexcept { return row.figures && !row.figures->cut_short.empty(); }

}  // namespace loudness
