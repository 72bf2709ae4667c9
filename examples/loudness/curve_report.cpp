#include "curve_report.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "json_text.hpp"
#include "report.hpp"

namespace loudness {
namespace {

struct named_curve {
  const char* name;
  const char* color;
  double begin_s;
  const std::vector<float>& values;
};

std::array<named_curve, 3> named(const loudness_curves& all) {
  return {{{"momentary", "#b0c4de", loudness_curves::momentary_begin_s, all.momentary},
           {"short_term", "#285faf", loudness_curves::short_term_begin_s, all.short_term},
           {"integrated", "#3c9646", loudness_curves::integrated_begin_s, all.integrated}}};
}

double end_of(const loudness_curves& all) {
  return loudness_curves::momentary_begin_s + curve_step_s * static_cast<double>(all.momentary.size());
}

// "-" where the curve has no value yet.
std::string value_at(const named_curve& of, double seconds) {
  const auto place = std::lround((seconds - of.begin_s) / curve_step_s);
  if (place < 0 || static_cast<std::size_t>(place) >= of.values.size()) return "-";
  const float value = of.values[static_cast<std::size_t>(place)];
  if (std::isinf(value)) return "silent";
  char text[32];
  std::snprintf(text, sizeof text, "%.1f", static_cast<double>(value));
  return text;
}

// -- the picture

constexpr double width = 900.0;
constexpr double height = 320.0;
constexpr double left = 50.0;
constexpr double top = 40.0;
constexpr double right = width - 20.0;
constexpr double bottom = height - 30.0;
constexpr double lowest_lufs = -60.0;

double y_of(double lufs) { return top + (bottom - top) * std::clamp(lufs, lowest_lufs, 0.0) / lowest_lufs; }

// Of a long curve each column of pixels shows what is loudest in it.
void put_line(std::ostream& out, const named_curve& c, double duration_s) {
  const auto in_column = std::max<std::size_t>(1, c.values.size() / static_cast<std::size_t>(right - left));
  out << "<polyline fill=\"none\" stroke=\"" << c.color << "\" stroke-width=\"1.5\" points=\"";
  for (std::size_t i = 0; i < c.values.size(); i += in_column) {
    const auto begin = c.values.begin() + static_cast<std::ptrdiff_t>(i);
    const auto end = begin + static_cast<std::ptrdiff_t>(std::min(in_column, c.values.size() - i));
    const double seconds = c.begin_s + curve_step_s * static_cast<double>(i);
    put_number(out, left + (right - left) * seconds / duration_s, 1);
    out << ',';
    put_number(out, y_of(static_cast<double>(*std::max_element(begin, end))), 1);
    out << ' ';
  }
  out << "\"/>\n";
}

void put_text(std::ostream& out, double x, double y, const char* how, std::string_view text) {
  out << "<text x=\"" << x << "\" y=\"" << y << "\" " << how << '>';
  for (const char c : printable(text)) {
    if (c == '<')
      out << "&lt;";
    else if (c == '&')
      out << "&amp;";
    else
      out << c;
  }
  out << "</text>\n";
}

void put_scale(std::ostream& out, double duration_s) {
  for (const int lufs : {0, -10, -23, -35, -45, -60}) {
    out << "<path stroke=\"#e0e0e0\" d=\"M" << left << ' ' << y_of(lufs) << 'H' << right << "\"/>\n";
    put_text(out, left - 6.0, y_of(lufs) + 4.0, "text-anchor=\"end\"", std::to_string(lufs));
  }
  put_text(out, left, bottom + 18.0, "", "0:00.0");
  put_text(out, right, bottom + 18.0, "text-anchor=\"end\"", duration_text(duration_s));
}

}  // namespace

void write_curves(std::ostream& out, const loudness_curves& shown) {
  out << "seconds\tmomentary\tshort-term\tintegrated\n";
  for (double seconds = 1.0; seconds < end_of(shown); seconds += 1.0) {
    out << seconds;
    for (const named_curve& c : named(shown)) out << '\t' << value_at(c, seconds);
    out << '\n';
  }
}

void write_curves_json(std::ostream& out, std::string_view path, const loudness_curves& shown) {
  out << "{\"path\": ";
  put_string(out, path);
  out << ", \"step_s\": " << curve_step_s;
  for (const named_curve& c : named(shown)) {
    out << ",\n \"" << c.name << "_begin_s\": " << c.begin_s << ", \"" << c.name << "_lufs\": [";
    bool is_first = true;
    for (const float value : c.values) {
      out << (std::exchange(is_first, false) ? "" : ", ");
      if (std::isinf(value)) {
        out << "null";
      } else {
        put_number(out, static_cast<double>(value), 2);
      }
    }
    out << ']';
  }
  out << "}\n";
}

void write_curves_svg(std::ostream& out, std::string_view path, const loudness_curves& shown) {
  const double duration_s = end_of(shown);
  out << "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " << width << ' ' << height
      << "\" font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n";
  put_text(out, left, 22.0, "font-weight=\"bold\"", path);
  put_text(out, right, 22.0, "text-anchor=\"end\"", "LUFS: momentary (light), short-term (blue), integrated (green)");
  put_scale(out, duration_s);
  for (const named_curve& c : named(shown)) put_line(out, c, duration_s);
  out << "</svg>\n";
}

}  // namespace loudness
