// The numbers of workers at which every engine test runs: none but the threads that wait, none to share with, the
// machine's, and far too many.
#pragma once

#include <array>

namespace tact::support {

inline constexpr std::array<unsigned, 6> worker_counts{0, 1, 2, 4, 8, 64};
// For what needs threads: handlers that wait for each other, or run while no thread waits for the engine.
inline constexpr std::array<unsigned, 5> thread_counts{1, 2, 4, 8, 64};

}  // namespace tact::support
