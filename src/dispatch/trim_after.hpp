// After what time a thread that runs handlers gives back memory that it keeps for later.
#pragma once

#include <chrono>

namespace tact::dispatch {

// The thread has had nothing to do for this long. If messages come sooner, it needs the memory again.
inline constexpr auto trim_after = std::chrono::milliseconds(500);

}  // namespace tact::dispatch
