// One figure of a measurement: a number, or the reason why there is none.
#pragma once

#include <cmath>
#include <string_view>

namespace loudness {

struct figure {
  enum class state : unsigned char {
    measured,
    too_short,  // not one whole measuring block: 400 ms for the loudness, 3 s for the range
    silent,     // nothing above the absolute gate of -70 LUFS, or no sample other than zero
  };

  double value = 0.0;
  state kind = state::too_short;

  [[nodiscard]] bool is_measured() const noexcept { return kind == state::measured; }
};

inline figure measured(double value) noexcept { return {value, figure::state::measured}; }
inline figure too_short() noexcept { return {0.0, figure::state::too_short}; }
inline figure silent() noexcept { return {0.0, figure::state::silent}; }
// The meter answers minus infinity when nothing passed its gate.
inline figure measured_or_silent(double value) noexcept { return value > -HUGE_VAL ? measured(value) : silent(); }

inline std::string_view to_string(figure::state kind) noexcept {
  if (kind == figure::state::too_short) return "too short";
  return kind == figure::state::silent ? "silent" : "measured";
}

}  // namespace loudness
