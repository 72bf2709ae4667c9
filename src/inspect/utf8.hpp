// Texts of users, made fit for files that must be UTF-8.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tact::inspect {

// The length of the character that begins at `at`, if it is whole and right; else 0.
[[nodiscard]] inline std::size_t length_of_utf8(std::string_view text, std::size_t at) noexcept {
  const auto byte = [&](std::size_t i) { return at + i < text.size() ? static_cast<unsigned char>(text[at + i]) : 0U; };
  const unsigned first = byte(0);
  if (first < 0x80) return 1;
  const std::size_t length = first >= 0xC2 && first < 0xE0   ? 2
                             : first >= 0xE0 && first < 0xF0 ? 3
                             : first < 0xF5                  ? 4
                                                             : 0;
  if (first < 0xC2 || length == 0) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0U) != 0x80) return 0;
  }
  const bool is_too_long = (first == 0xE0 && byte(1) < 0xA0) || (first == 0xF0 && byte(1) < 0x90);
  const bool is_no_character = (first == 0xED && byte(1) >= 0xA0) || (first == 0xF4 && byte(1) >= 0x90);
  return is_too_long || is_no_character ? 0 : length;
}

// The text with a mark in the place of each byte that is no part of a character. Its end may have been cut off.
[[nodiscard]] inline std::string as_utf8(std::string_view text) {
  std::string all;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = length_of_utf8(text, at);
    length == 0 ? all.append("\xEF\xBF\xBD") : all.append(text.substr(at, length));
    at += length == 0 ? 1 : length;
  }
  return all;
}

}  // namespace tact::inspect
