// The three curves of EBU R128 for a whole file: momentary, short-term, and integrated up to each moment.
#pragma once

#include <vector>

#include "curve.hpp"
#include "level_track.hpp"

namespace loudness {

// A value each curve_step_s, in LUFS, minus infinity for silence. The first value of a curve is that of its begin_s.
struct loudness_curves {
  static constexpr double momentary_begin_s = 0.4;
  static constexpr double short_term_begin_s = curve_begin_s;
  static constexpr double integrated_begin_s = 0.4;

  std::vector<float> momentary{};
  std::vector<float> short_term{};
  std::vector<float> integrated{};
};

loudness_curves curves_of(const level_track& track);

}  // namespace loudness
