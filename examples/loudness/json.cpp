// The report for programs.
#include <ostream>

#include "json_text.hpp"
#include "report.hpp"

namespace loudness {
namespace {

// null with the reason beside it, where there is no figure.
void put_figure(std::ostream& out, std::string_view name, std::string_view unit, const figure& shown) {
  out << ", \"" << name << '_' << unit << "\": ";
  if (shown.is_measured()) {
    put_number(out, shown.value, 2);
  } else {
    out << "null, \"" << name << "_missing\": \"" << to_string(shown.kind) << '"';
  }
}

void put_measurement(std::ostream& out, const measurement& m) {
  put_figure(out, "integrated", "lufs", m.integrated);
  put_figure(out, "range", "lu", m.range);
  put_figure(out, "true_peak", "dbtp", m.true_peak);
  put_figure(out, "peak_to_loudness", "lu", peak_to_loudness(m));
  out << ", \"duration_s\": ";
  put_number(out, m.duration_s, 3);
  out << ", \"channels\": " << m.channels << ", \"rate_hz\": " << m.rate_hz;
  if (m.cut_short.empty()) return;
  out << ", \"cut_short\": ";
  put_string(out, m.cut_short);
}

}  // namespace

void put_json(std::ostream& out, const result& row) {
  out << "{\"path\": ";
  put_string(out, row.path);
  if (row.figures) {
    put_measurement(out, *row.figures);
  } else {
    out << ", \"failure\": ";
    put_string(out, row.failure);
  }
  if (row.was_known) out << ", \"known\": true";
  if (!row.not_kept.empty()) {
    out << ", \"not_kept\": ";
    put_string(out, row.not_kept);
  }
  out << '}';
}

void write_json(std::ostream& out, const std::vector<result>& results) {
  out << "{\n  \"files\": [";
  std::string_view separator = "\n";
  for (const result& row : results) {
    out << separator << "    ";
    put_json(out, row);
    separator = ",\n";
  }
  out << "\n  ]\n}\n";
}

}  // namespace loudness
