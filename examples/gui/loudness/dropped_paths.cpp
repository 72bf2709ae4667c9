#include "dropped_paths.hpp"

#include <charconv>
#include <cstddef>

namespace loudness {
namespace {

// "%20" becomes a space; a percent sign without two digits stays.
std::string without_percents(std::string_view text) {
  std::string made;
  for (std::size_t i = 0; i < text.size(); ++i) {
    unsigned byte = 0;
    const char* const digits = text.data() + i + 1;
    const bool has_digits =
        text[i] == '%' && i + 2 < text.size() && std::from_chars(digits, digits + 2, byte, 16).ptr == digits + 2;
    made += has_digits ? static_cast<char>(byte) : text[i];
    if (has_digits) i += 2;
  }
  return made;
}

// Empty: it is none.
std::string path_of(std::string_view line) {
  constexpr std::string_view scheme = "file:";
  if (line.starts_with('/')) return std::string(line);
  if (!line.starts_with(scheme)) return {};
  line.remove_prefix(scheme.size());
  if (!line.starts_with("//")) return without_percents(line);
  line.remove_prefix(2);
  const std::size_t host_end = line.find('/');
  const std::string_view host = line.substr(0, host_end);
  if (host_end == std::string_view::npos || (!host.empty() && host != "localhost")) return {};
  return without_percents(line.substr(host_end));
}

}  // namespace

std::vector<std::string> dropped_paths(std::string_view text) {
  std::vector<std::string> paths;
  while (!text.empty()) {
    const std::size_t end = text.find_first_of("\r\n");
    if (std::string path = path_of(text.substr(0, end)); !path.empty()) paths.push_back(std::move(path));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return paths;
}

}  // namespace loudness
