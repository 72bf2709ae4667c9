// The order of the report.
#include <algorithm>
#include <cmath>

#include "report.hpp"

namespace loudness {

double sort_value(const result& row, sort_key key) noexcept {
  if (key == sort_key::path) return 0.0;
  if (!row.figures) return -INFINITY;
  const measurement& m = *row.figures;
  if (key == sort_key::duration) return m.duration_s;
  const figure chosen = key == sort_key::loudness ? m.integrated
                        : key == sort_key::range  ? m.range
                        : key == sort_key::peak   ? m.true_peak
                                                  : peak_to_loudness(m);
  return chosen.is_measured() ? chosen.value : -INFINITY;
}

void sort_results(std::vector<result>& results, sort_key key) {
  std::sort(results.begin(), results.end(), [key](const result& a, const result& b) {
    const double of_a = sort_value(a, key);
    const double of_b = sort_value(b, key);
    return of_a != of_b ? of_a > of_b : a.path < b.path;
  });
}

}  // namespace loudness
