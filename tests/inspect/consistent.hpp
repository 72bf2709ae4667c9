// What must hold of any trace, however much of it is lost, and whenever the recorder was switched.
#pragma once

#include <string>
#include <vector>

#include "tact/inspect/trace.hpp"

namespace tact::support {

// What is wrong with it, in words; empty: nothing. `all`: nothing is lost, the recorder was always on, and nothing is
// left to do; so each message that was sent has come to an end.
[[nodiscard]] std::vector<std::string> contradictions_in(const inspect::trace&, bool all = false);

}  // namespace tact::support
