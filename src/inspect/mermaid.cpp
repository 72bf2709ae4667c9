// Writes what came of a message as a sequence chart in the language of Mermaid.
#include <cctype>
#include <ostream>
#include <string>

#include "inspect/sequence_chart.hpp"

namespace tact::inspect {

namespace {

bool is_word_at(std::string_view text, std::size_t at) {
  return at < text.size() && std::isalnum(static_cast<unsigned char>(text[at])) != 0;
}

// Some characters, and the word "end", have a meaning in the language: they are written by their numbers.
std::string plain(std::string_view text) {
  std::string all;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool is_end = text.substr(i, 3) == "end" && !is_word_at(text, i + 3) && (i == 0 || !is_word_at(text, i - 1));
    const char c = text[i];
    if (is_end || std::string_view(";#:<>\"").find(c) != std::string_view::npos) {
      all.append("#").append(std::to_string(static_cast<unsigned>(static_cast<unsigned char>(c)))).append(";");
    } else {
      all += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    }
  }
  return all;
}

}  // namespace

void trace::write_mermaid(std::ostream& to, std::uint64_t message, std::size_t most) const {
  const sequence_chart chart(*this, message, most);
  to << "sequenceDiagram\n";
  for (std::size_t n = 0; n < chart.columns().size(); ++n)
    to << "  participant a" << n + 1 << " as " << plain(chart.columns()[n].name()) << "\n";
  for (const sequence_chart::row& r : chart.rows()) {
    if (r.what == sequence_chart::row::kind::send) {
      to << "  a" << r.from + 1 << (r.of->is_undone ? "--x" : "->>") << "a" << r.to + 1;
    } else {
      to << "  Note over a" << r.from + 1;
    }
    to << ": " << plain(text_of(r)) << "\n";
  }
  if (const std::string more = chart.left_out(); !more.empty() && !chart.columns().empty())
    to << "  Note over a1: " << more << "\n";
}

}  // namespace tact::inspect
