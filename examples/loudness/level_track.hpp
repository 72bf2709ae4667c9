// How loud a file is in each tenth of a second, in few bytes: all its curves come of that.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

namespace loudness {

struct level_track {
  // Hundredths of a LUFS, from the beginning on. A part of a tenth at the end has none.
  std::vector<std::int16_t> levels{};

  static constexpr std::int16_t silence = std::numeric_limits<std::int16_t>::min();

  void add(double lufs) {
    constexpr double most = std::numeric_limits<std::int16_t>::max();
    const double hundredths = std::round(lufs * 100.0);
    levels.push_back(hundredths < -most ? silence : static_cast<std::int16_t>(hundredths > most ? most : hundredths));
  }
};

}  // namespace loudness
