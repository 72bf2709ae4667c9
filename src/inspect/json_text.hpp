// Texts as JSON writes them.
#pragma once

#include <cstdio>
#include <string>
#include <string_view>

#include "inspect/utf8.hpp"

namespace tact::inspect {

// In quotation marks. A text cannot end the script of a page in which it stands, because no "<" is left in it.
[[nodiscard]] inline std::string json_text(std::string_view text) {
  std::string all = "\"";
  for (const char c : as_utf8(text)) {
    if (c == '"' || c == '\\') {
      all += '\\';
      all += c;
    } else if (static_cast<unsigned char>(c) < 0x20 || c == '<') {
      char code[8];
      std::snprintf(code, sizeof code, "\\u%04x", static_cast<unsigned>(c));
      all += code;
    } else {
      all += c;
    }
  }
  return all + '"';
}

}  // namespace tact::inspect
