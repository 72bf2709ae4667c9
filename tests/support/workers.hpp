// The numbers of workers at which every engine test runs: none but the threads that wait, none to share with, the
// machine's, and far too many.
#pragma once

#include <cstdlib>
#include <span>
#include <vector>

#include "base/sanitized.hpp"

namespace tact::support {

// Those of the numbers that this build gets. Under ThreadSanitizer up to four workers, where a race shows as well as
// among 64, which take it minutes; TACT_EFFORT, which asks for more than is usual, brings all of them.
inline std::vector<unsigned> usual_of(std::vector<unsigned> counts) {
  static const bool is_usual = base::under_tsan && std::getenv("TACT_EFFORT") == nullptr;
  std::erase_if(counts, [](unsigned workers) { return is_usual && workers > 4; });
  return counts;
}
inline std::span<const unsigned> worker_counts_from(std::size_t first) {
  static const std::vector<unsigned> counts = usual_of({0, 1, 2, 4, 8, 64});
  return std::span(counts).subspan(first);
}
inline std::span<const unsigned> worker_counts() { return worker_counts_from(0); }
// For what needs threads: handlers that wait for each other, or run while no thread waits for the engine.
inline std::span<const unsigned> thread_counts() { return worker_counts_from(1); }

}  // namespace tact::support
