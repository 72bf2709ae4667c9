// Does a path have a text? Latin letters are the same whatever their case.
#pragma once

#include <algorithm>
#include <cctype>
#include <string_view>

namespace loudness {

inline bool has_text(std::string_view path, std::string_view text) {
  const auto lower = [](char c) { return std::tolower(static_cast<unsigned char>(c)); };
  return std::search(path.begin(), path.end(), text.begin(), text.end(),
                     [&](char a, char b) { return lower(a) == lower(b); }) != path.end() ||
         text.empty();
}

}  // namespace loudness
