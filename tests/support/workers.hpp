// The numbers of workers at which every engine test runs: none to share with, the machine's, and far too many.
#pragma once

#include <array>

namespace tact::support {

inline constexpr std::array<unsigned, 5> worker_counts{1, 2, 4, 8, 64};

}  // namespace tact::support
