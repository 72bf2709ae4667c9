// When a thread that runs handlers gives back memory that it keeps.
#pragma once

#include <chrono>

namespace tact::dispatch {

// So long it has had nothing to do: who comes again sooner needs the memory again.
inline constexpr auto trim_after = std::chrono::milliseconds(500);

}  // namespace tact::dispatch
