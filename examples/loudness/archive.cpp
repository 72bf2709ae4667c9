#include "archive.hpp"

namespace loudness {

std::filesystem::path kept_path(const std::filesystem::path& path) {
  std::filesystem::path whole = std::filesystem::absolute(path).lexically_normal();
  return whole.has_filename() || whole == whole.root_path() ? whole : whole.parent_path();
}

}  // namespace loudness
