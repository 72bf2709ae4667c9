#include "ratio_histogram.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ostream>
#include <string>

#include "json_text.hpp"

namespace loudness {
namespace {

constexpr std::size_t bar_most = 50;

int bin_of(double ratio) { return static_cast<int>(std::floor(ratio)); }

// Of sorted values, of which there are some.
double median_of(const std::vector<double>& sorted) {
  const std::size_t half = sorted.size() / 2;
  return sorted.size() % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2.0;
}

// One file has a bar, too.
std::string bar_of(std::size_t count, std::size_t most) {
  return std::string(most <= bar_most ? count : (count * bar_most + most - 1) / most, '#');
}

void write_text(std::ostream& out, const ratio_histogram& shown) {
  out << "peak-to-loudness ratio, LU\n";
  const std::size_t most = shown.counts.empty() ? 0 : *std::max_element(shown.counts.begin(), shown.counts.end());
  int from = shown.first;
  for (const std::size_t count : shown.counts) {
    char text[64];
    std::snprintf(text, sizeof text, "%4d to %3d  %6zu  ", from, from + 1, count);
    out << (count == 0 ? std::string(text, 19) : text + bar_of(count, most)) << '\n';
    ++from;
  }
  char text[64];
  std::snprintf(text, sizeof text, "%zu %s, median %.1f", shown.files, shown.files == 1 ? "file" : "files",
                shown.median);
  out << (shown.files == 0 ? "no file has one" : text);
  if (shown.without > 0) out << "; " << shown.without << " without";
  out << '\n';
}

void write_json(std::ostream& out, const ratio_histogram& shown) {
  out << "{\"unit\": \"LU\", \"files\": " << shown.files << ", \"without\": " << shown.without << ", \"median\": ";
  if (shown.files == 0) {
    out << "null";
  } else {
    put_number(out, shown.median, 2);
  }
  out << ", \"bins\": [";
  int from = shown.first;
  for (const std::size_t count : shown.counts) {
    out << (from == shown.first ? "" : ", ") << "{\"from\": " << from << ", \"to\": " << from + 1
        << ", \"files\": " << count << '}';
    ++from;
  }
  out << "]}\n";
}

}  // namespace

ratio_histogram histogram_of(const std::vector<result>& results) {
  std::vector<double> ratios;
  for (const result& row : results) {
    if (!row.figures) continue;
    if (const figure ratio = peak_to_loudness(*row.figures); ratio.is_measured()) ratios.push_back(ratio.value);
  }
  ratio_histogram made;
  made.files = ratios.size();
  made.without = results.size() - ratios.size();
  if (ratios.empty()) return made;
  std::sort(ratios.begin(), ratios.end());
  made.first = bin_of(ratios.front());
  made.counts.resize(static_cast<std::size_t>(bin_of(ratios.back()) - made.first) + 1);
  for (const double ratio : ratios) ++made.counts[static_cast<std::size_t>(bin_of(ratio) - made.first)];
  made.median = median_of(ratios);
  return made;
}

void write_histogram(std::ostream& out, const ratio_histogram& shown, bool as_json) {
  (as_json ? write_json : write_text)(out, shown);
}

}  // namespace loudness
