#include "listing.hpp"

#include <system_error>

#include "sound_file.hpp"

namespace loudness {

candidate make_candidate(const std::filesystem::path& file) {
  std::error_code unknown;  // a size that cannot be told only costs the place in the order
  const std::uintmax_t bytes = std::filesystem::file_size(file, unknown);
  return {unknown ? 0 : bytes, file.lexically_normal().string()};
}

listing list_folder(const std::filesystem::path& folder) {
  listing found;
  for (const std::filesystem::directory_entry& entry : std::filesystem::directory_iterator(folder)) {
    std::error_code unknown;  // an entry that vanished meanwhile, or a dangling link, is neither
    if (entry.is_directory(unknown)) {
      // A link may lead back up: following it would never end.
      if (!entry.is_symlink(unknown)) found.folders.push_back(entry.path());
    } else if (entry.is_regular_file(unknown) && has_sound_name(entry.path())) {
      found.files.push_back(make_candidate(entry.path()));
    }
  }
  return found;
}

}  // namespace loudness
