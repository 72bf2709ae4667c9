#include "svg.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>

#include "page.hpp"

namespace router {
namespace {

std::string escaped(std::string_view text) {
  std::string all;
  for (const char c : text) {
    if (c == '<') {
      all += "&lt;";
    } else if (c == '&') {
      all += "&amp;";
    } else {
      all += c;
    }
  }
  return all;
}

struct corners {
  point from;
  point to;
};
corners corners_of(const shape& s) {
  corners c{s.points.back(), s.points.back()};
  bool is_first = true;
  s.points.for_each([&](point p) {
    if (is_first) c.from = p;
    is_first = false;
  });
  return c;
}

void write(std::ostream& out, const shape& s) {
  const auto [from, to] = corners_of(s);
  const std::string line = "fill=\"none\" stroke=\"" + std::string(colour_name(s.colour)) + "\" stroke-width=\"" +
                           std::to_string(s.width) + "\"/>\n";
  switch (s.kind) {
    case shape_kind::line:
      out << "<polyline points=\"";
      s.points.for_each([&](point p) { out << p.x << ',' << p.y << ' '; });
      out << "\" " << line;
      break;
    case shape_kind::box:
      out << "<rect x=\"" << std::min(from.x, to.x) << "\" y=\"" << std::min(from.y, to.y) << "\" width=\""
          << std::abs(to.x - from.x) << "\" height=\"" << std::abs(to.y - from.y) << "\" " << line;
      break;
    case shape_kind::oval:
      out << "<ellipse cx=\"" << (from.x + to.x) / 2 << "\" cy=\"" << (from.y + to.y) / 2 << "\" rx=\""
          << std::abs(to.x - from.x) / 2 << "\" ry=\"" << std::abs(to.y - from.y) / 2 << "\" " << line;
      break;
    case shape_kind::text:
      out << "<text x=\"" << from.x << "\" y=\"" << from.y << "\" fill=\"" << colour_name(s.colour) << "\">"
          << escaped(s.text) << "</text>\n";
      break;
  }
}

}  // namespace

std::string_view colour_name(int colour) noexcept {
  static constexpr std::array<std::string_view, colours> names = {"black", "crimson",    "darkorange",
                                                                  "green", "dodgerblue", "purple"};
  return names[static_cast<std::size_t>(colour)];
}

std::string to_svg(const picture& p, int width, int height) {
  std::ostringstream out;
  out << "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" << width << "\" height=\"" << height << "\">\n";
  for (const shape_ptr& s : p.shapes) write(out, *s);
  out << "<title>" << escaped(p.caption) << "</title>\n</svg>\n";
  return out.str();
}

// A reader never finds half of a picture: the new file takes the place of the old one when it is whole.
void saver::receive(tact::self<saver>&, const picture_ptr& m) {
  const std::filesystem::path whole = file_.string() + ".new";
  std::ofstream out(whole);
  out << to_svg(*m, width_, height_);
  out.close();
  std::error_code problem;
  if (out) std::filesystem::rename(whole, file_, problem);
  const bool is_saved = out && !problem;
  tells_(is_saved ? "" : file_.string() + " cannot be written: is there such a folder, and may you write there?");
}

}  // namespace router
