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
  std::string failure;     // why there are no figures
  bool was_known = false;  // from an archive: it was not measured now
  std::string not_kept{};  // why the archive has not got it
};

// The peak-to-loudness ratio: how far the highest peak is above the loudness of the whole, in LU.
inline figure peak_to_loudness(const measurement& m) noexcept {
  if (!m.integrated.is_measured()) return m.integrated;
  return m.true_peak.is_measured() ? measured(m.true_peak.value - m.integrated.value) : m.true_peak;
}

// It was measured as far as it goes, and does not go to its end.
inline bool is_cut_short(const result& row) noexcept { return row.figures && !row.figures->cut_short.empty(); }

}  // namespace loudness
