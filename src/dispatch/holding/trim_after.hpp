// After what time a thread that runs handlers gives back memory that it keeps for later.
#pragma once

#include <chrono>

namespace tact::dispatch {

// A thread of the engine does so when it has had nothing to do for this long: if messages come sooner, it needs the
// memory again. A loop or a pump that has run out of messages does so once in this time at most.
inline constexpr auto trim_after = std::chrono::milliseconds(500);

}  // namespace tact::dispatch
