#include "event.hpp"

#include <array>
#include <cstddef>
#include <iterator>
#include <sstream>
#include <string>
#include <string_view>

namespace router {
namespace {

constexpr std::array<std::string_view, 10> names = {"press", "release", "move",  "wheel",   "key",
                                                    "drop",  "resize",  "focus", "unfocus", "timer"};

event_kind kind_of(std::string_view name) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] == name) return static_cast<event_kind>(i);
  }
  throw recording_error("there is no event \"" + std::string(name) + "\"");
}

// What is dropped may have several lines.
std::string escaped(std::string_view text) {
  std::string line;
  for (const char c : text) {
    if (c == '\\') line += "\\\\";
    if (c == '\n') line += "\\n";
    if (c != '\\' && c != '\n') line += c;
  }
  return line;
}
std::string unescaped(std::string_view line) {
  std::string text;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const bool is_pair = line[i] == '\\' && i + 1 < line.size();
    if (!is_pair) {
      text += line[i];
    } else {
      text += line[++i] == 'n' ? '\n' : line[i];
    }
  }
  return text;
}

}  // namespace

std::string_view name_of(event_kind k) noexcept { return names[static_cast<std::size_t>(k)]; }

std::string line_of(const event& e) {
  std::ostringstream line;
  line << e.number << ' ' << e.at_ms << ' ' << name_of(e.kind) << ' ' << e.x << ' ' << e.y << ' ' << e.amount << ' '
       << e.modifiers << ' ' << e.about << ' ' << escaped(e.text);
  return line.str();
}

event read_line(const std::string& line) {
  std::istringstream words(line);
  event e;
  std::string kind;
  if (!(words >> e.number >> e.at_ms >> kind >> e.x >> e.y >> e.amount >> e.modifiers >> e.about)) {
    throw recording_error("expected: NUMBER MILLISECONDS EVENT X Y AMOUNT MODIFIERS ABOUT TEXT, got \"" + line + "\"");
  }
  e.kind = kind_of(kind);
  words.get();  // the blank before the text
  e.text = unescaped(std::string(std::istreambuf_iterator<char>(words), {}));
  return e;
}

}  // namespace router
