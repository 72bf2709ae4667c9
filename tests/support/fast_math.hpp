// What code that is compiled with -ffast-math makes of durations that are no number.
#pragma once

#include <cstdint>

namespace tact::support::fast_math {

[[nodiscard]] std::int64_t whole_ns(double half_seconds);
[[nodiscard]] bool is_positive(double half_seconds);
[[nodiscard]] bool refuses_factor(double factor);
[[nodiscard]] bool refuses_jitter(double jitter);

}  // namespace tact::support::fast_math
