// The order of the report.
#include <algorithm>
#include <cmath>

#include "report.hpp"

namespace loudness {
namespace {

double result_figure(const result& row, sort_key key) {
  if (!row.figures) return -INFINITY;
  const measurement& m = *row.figures;
  const figure& chosen = key == sort_key::loudness ? m.integrated : key == sort_key::range ? m.range : m.true_peak;
  return chosen.is_measured() ? chosen.value : -INFINITY;
}

}  // namespace

void sort_results(std::vector<result>& results, sort_key key) {
  std::sort(results.begin(), results.end(), [key](const result& a, const result& b) {
    if (key != sort_key::path) {
      const double of_a = result_figure(a, key);
      const double of_b = result_figure(b, key);
      if (of_a != of_b) return of_a > of_b;
    }
    return a.path < b.path;
  });
}

}  // namespace loudness
