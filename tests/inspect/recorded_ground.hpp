// Where random programs are played while a recorder looks on; then the trace is held against the history.
#pragma once

#include <cstdint>

#include "model/hunt.hpp"

namespace tact::model {

struct judged {
  std::uint64_t compared = 0;
  std::uint64_t overfull = 0;  // of so many some steps were lost, so they were not compared
  std::uint64_t steps = 0;
};
// Prints what was compared; that must be most.
void say(const judged&);

// What they find is counted in `sum`, which lives longer.
[[nodiscard]] ground recorded_on_threads(judged& sum);
[[nodiscard]] ground recorded_in_simulations(judged& sum);

}  // namespace tact::model
