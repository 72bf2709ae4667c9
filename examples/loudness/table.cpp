// The table for people.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <ostream>

#include "report.hpp"

namespace loudness {
namespace {

std::string one_decimal(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f", std::fabs(value) < 0.05 ? 0.0 : value);  // no "-0.0"
  return text;
}

std::string cell(const figure& shown) {
  return shown.is_measured() ? one_decimal(shown.value) : std::string(to_string(shown.kind));
}

void put_row(std::ostream& out, std::string_view loudness, std::string_view range, std::string_view peak,
             std::string_view ratio, std::string_view length, std::string_view file) {
  for (const std::string_view text : {loudness, range, peak, ratio, length}) {
    out << std::string(text.size() < 10 ? 10 - text.size() : 1, ' ') << text;
  }
  out << "  " << file << '\n';
}

void put_result(std::ostream& out, const result& row) {
  const measurement& m = *row.figures;
  put_row(out, cell(m.integrated), cell(m.range), cell(m.true_peak), cell(peak_to_loudness(m)),
          duration_text(m.duration_s), printable(row.path));
}

}  // namespace

std::string count_of(std::size_t count, std::string_view noun) {
  return std::to_string(count) + ' ' + std::string(noun) + (count == 1 ? "" : "s");
}

double total_duration_s(const std::vector<result>& results) {
  double sum = 0.0;
  for (const result& row : results) sum += row.figures ? row.figures->duration_s : 0.0;
  return sum;
}

std::string printable(std::string_view text) {
  std::string shown(text);
  std::replace_if(
      shown.begin(), shown.end(), [](char c) { return (c >= 0 && c < ' ') || c == '\x7f'; }, '?');
  return shown;
}

std::string duration_text(double seconds) {
  const auto tenths = static_cast<unsigned long long>(std::llround(seconds * 10.0));
  const unsigned long long minutes = tenths / 600;
  char text[48];
  if (minutes < 60) {
    std::snprintf(text, sizeof text, "%llu:%02llu.%llu", minutes, tenths % 600 / 10, tenths % 10);
  } else {
    std::snprintf(text, sizeof text, "%llu:%02llu:%02llu.%llu", minutes / 60, minutes % 60, tenths % 600 / 10,
                  tenths % 10);
  }
  return text;
}

void write_rows(std::ostream& out, const std::vector<result>& results) {
  if (std::any_of(results.begin(), results.end(), [](const result& row) { return row.figures.has_value(); })) {
    put_row(out, "loudness", "range", "true peak", "PLR", "length", "file");
    put_row(out, "LUFS", "LU", "dBTP", "LU", "min:s", "");
  }
  for (const result& row : results) {
    if (row.figures) put_result(out, row);
  }
  for (const result& row : results) {
    if (is_cut_short(row)) {
      out << "cut short: " << printable(row.path) << ": " << row.figures->cut_short << '\n';
    } else if (!row.figures) {
      out << "not measured: " << printable(row.path) << ": " << printable(row.failure) << '\n';
    }
    if (!row.not_kept.empty()) out << "not kept: " << printable(row.path) << ": " << printable(row.not_kept) << '\n';
  }
}

void write_table(std::ostream& out, const std::vector<result>& results) {
  const auto count_if = [&](auto is) {
    return static_cast<std::size_t>(std::count_if(results.begin(), results.end(), is));
  };
  const std::size_t with_figures = count_if([](const result& row) { return row.figures.has_value(); });
  const std::size_t known = count_if([](const result& row) { return row.was_known; });
  write_rows(out, results);
  out << count_of(with_figures - known, "file") << " measured, ";
  if (known > 0) out << known << " known, ";
  out << duration_text(total_duration_s(results));
  if (const auto cut = std::count_if(results.begin(), results.end(), is_cut_short); cut > 0) {
    out << "; " << cut << " cut short";
  }
  if (with_figures < results.size()) out << "; " << results.size() - with_figures << " not measured";
  out << '\n';
}

}  // namespace loudness
