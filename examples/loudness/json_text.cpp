#include "json_text.hpp"

#include <cstddef>
#include <cstdio>
#include <ostream>

namespace loudness {
namespace {

bool continues(unsigned char byte) { return (byte & 0xc0u) == 0x80u; }

// The bytes that a UTF-8 sequence beginning with `lead` has; 0: nothing begins so.
std::size_t sequence_bytes(unsigned char lead) {
  if (lead < 0x80) return 1;
  if (lead >= 0xc2 && lead < 0xe0) return 2;
  if (lead >= 0xe0 && lead < 0xf0) return 3;
  return lead >= 0xf0 && lead < 0xf5 ? 4 : 0;
}

// Overlong forms, surrogates, and what lies beyond U+10FFFF.
bool is_forbidden(unsigned char lead, unsigned char second) {
  return (lead == 0xe0 && second < 0xa0) || (lead == 0xed && second >= 0xa0) || (lead == 0xf0 && second < 0x90) ||
         (lead == 0xf4 && second >= 0x90);
}

// The length of the well-formed sequence at the beginning of `text`, 0 if it is not one.
std::size_t well_formed_bytes(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text.front());
  const std::size_t bytes = sequence_bytes(lead);
  if (bytes == 0 || bytes > text.size()) return 0;
  for (std::size_t i = 1; i < bytes; ++i) {
    if (!continues(static_cast<unsigned char>(text[i]))) return 0;
  }
  return bytes > 1 && is_forbidden(lead, static_cast<unsigned char>(text[1])) ? 0 : bytes;
}

void put_ascii(std::ostream& out, char c) {
  if (c == '"' || c == '\\') {
    out << '\\' << c;
  } else if (c < ' ' || c == '\x7f') {
    char text[8];
    std::snprintf(text, sizeof text, "\\u%04x", static_cast<unsigned>(c));
    out << text;
  } else {
    out << c;
  }
}

}  // namespace

void put_string(std::ostream& out, std::string_view text) {
  out << '"';
  while (!text.empty()) {
    const std::size_t bytes = well_formed_bytes(text);
    if (bytes == 1) {
      put_ascii(out, text.front());
    } else if (bytes == 0) {
      out << "\xef\xbf\xbd";
    } else {
      out << text.substr(0, bytes);
    }
    text.remove_prefix(bytes == 0 ? 1 : bytes);
  }
  out << '"';
}

void put_number(std::ostream& out, double value, int decimals) {
  char text[64];
  std::snprintf(text, sizeof text, "%.*f", decimals, value);
  out << text;
}

}  // namespace loudness
