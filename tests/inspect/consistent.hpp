// What must hold of any trace, however much of it is lost, and whenever the recorder was switched.
#pragma once

#include <string>
#include <vector>

#include "tact/inspect/trace.hpp"

namespace tact::support {

// When the trace was read: at any time; when nothing was left to do; and then, with nothing lost, of a recorder that
// was always on, so that each message that was sent has come to an end.
enum class read_when : unsigned char { at_any_time, at_rest, complete };
// What is wrong with it, in words; empty: nothing.
[[nodiscard]] std::vector<std::string> contradictions_in(const inspect::trace&, read_when = read_when::at_any_time);

}  // namespace tact::support
