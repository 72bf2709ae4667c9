// Draws what came of a message as a sequence chart in SVG.
#include <algorithm>
#include <ostream>
#include <string>

#include "inspect/sequence_chart.hpp"
#include "inspect/utf8.hpp"

namespace tact::inspect {

namespace {

constexpr std::size_t column_width = 180;
constexpr std::size_t row_height = 26;
constexpr std::size_t head_height = 44;
constexpr std::size_t margin = 20;

std::string escaped(std::string_view text) {
  std::string all;
  for (const char c : as_utf8(text)) {
    if (c == '&') {
      all += "&amp;";
    } else if (c == '<') {
      all += "&lt;";
    } else if (c == '>') {
      all += "&gt;";
    } else {
      all += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    }
  }
  return all;
}

std::size_t middle_of(std::size_t column) { return margin + column * column_width + column_width / 2; }

void write_text(std::ostream& to, std::size_t x, std::size_t y, const char* kind, std::string_view text) {
  to << R"(<text class=")" << kind << R"(" x=")" << x << R"(" y=")" << y << R"(">)" << escaped(text) << "</text>\n";
}

void write_columns(std::ostream& to, const sequence_chart& chart, std::size_t bottom) {
  for (std::size_t n = 0; n < chart.columns().size(); ++n) {
    const std::size_t x = middle_of(n);
    to << R"(<line class="life" x1=")" << x << R"(" y1=")" << head_height << R"(" x2=")" << x << R"(" y2=")" << bottom
       << "\"/>\n";
    write_text(to, x, head_height - 14, "actor", chart.columns()[n].name());
  }
}

// An actor that sends to itself has an arrow that comes back.
void write_arrow(std::ostream& to, const sequence_chart::row& r, std::size_t y) {
  const std::size_t from = middle_of(r.from);
  const std::size_t there = middle_of(r.to);
  to << R"(<path class=")" << (r.of->is_undone ? "undone" : "send") << R"(" d="M )" << from << ' ' << y;
  if (r.from == r.to) {
    to << " h 24 v 10 h -22";
  } else {
    to << " H " << (there > from ? there - 2 : there + 2);
  }
  to << "\"/>\n";
  const std::size_t beside = r.from == r.to ? from + 60 : (from + there) / 2;
  write_text(to, beside, y - 5, r.of->is_undone ? "undone" : "send", text_of(r));
}

}  // namespace

void trace::write_svg(std::ostream& to, std::uint64_t message, std::size_t most) const {
  const sequence_chart chart(*this, message, most);
  const std::size_t rows = chart.rows().size() + (chart.left_out().empty() ? 0 : 1);
  const std::size_t bottom = head_height + (rows + 1) * row_height;
  const std::size_t width = 2 * margin + std::max<std::size_t>(chart.columns().size(), 1) * column_width;
  to << R"(<svg xmlns="http://www.w3.org/2000/svg" width=")" << width << R"(" height=")" << bottom + margin << "\">\n"
     << "<style>text{font:12px sans-serif;text-anchor:middle}.actor{font-weight:bold}.life{stroke:#bbb}"
        "path{fill:none;stroke:#246;marker-end:url(#tip)}path.undone{stroke:#b33;stroke-dasharray:4 3}"
        "text.undone,.failure{fill:#b33}.note{fill:#575}</style>\n"
     << R"(<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto">)"
     << R"(<path d="M 0 0 L 8 4 L 0 8 z" style="fill:#246;stroke:none;marker-end:none"/></marker></defs>)"
     << "\n"
     << R"(<rect width="100%" height="100%" fill="white"/>)"
     << "\n";
  write_columns(to, chart, bottom);
  std::size_t y = head_height + row_height;
  for (const sequence_chart::row& r : chart.rows()) {
    if (r.what == sequence_chart::row::kind::send) {
      write_arrow(to, r, y);
    } else {
      write_text(to, middle_of(r.from), y, r.what == sequence_chart::row::kind::failure ? "failure" : "note",
                 text_of(r));
    }
    y += row_height;
  }
  if (!chart.left_out().empty()) write_text(to, middle_of(0), y, "note", chart.left_out());
  to << "</svg>\n";
}

}  // namespace tact::inspect
