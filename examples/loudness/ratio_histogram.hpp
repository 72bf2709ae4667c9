// How many files have which peak-to-loudness ratio: music that was made loud is on the left.
#pragma once

#include <cstddef>
#include <iosfwd>
#include <vector>

#include "result.hpp"

namespace loudness {

// Bins of one LU.
struct ratio_histogram {
  int first = 0;                      // where the first bin begins, in LU
  std::vector<std::size_t> counts{};  // files in each bin, from the first one that has any to the last
  std::size_t files = 0;              // in all bins
  std::size_t without = 0;            // files that have no ratio: silent, too short, not measured
  double median = 0.0;                // 0 if there are none
};

ratio_histogram histogram_of(const std::vector<result>& results);

// For people, with bars; or as an object of JSON.
void write_histogram(std::ostream& out, const ratio_histogram& shown, bool as_json);

}  // namespace loudness
