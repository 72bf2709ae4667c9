#include "file_stamp.hpp"

#include <sys/stat.h>

namespace loudness {

std::optional<file_stamp> stamp_of(const std::filesystem::path& path) {
  struct ::stat found {};
  if (::stat(path.c_str(), &found) != 0 || !S_ISREG(found.st_mode)) return {};
  constexpr std::int64_t second_ns = 1'000'000'000;
  return file_stamp{static_cast<std::uint64_t>(found.st_size),
                    found.st_mtim.tv_sec * second_ns + found.st_mtim.tv_nsec};
}

}  // namespace loudness
