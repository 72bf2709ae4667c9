// Without tact-store there is no archive.
#include <stdexcept>

#include "archive.hpp"

namespace loudness {

std::shared_ptr<archive> open_archive(tact::engine&, const std::filesystem::path& file, archive_use) {
  throw std::runtime_error("'" + file.string() +
                           "': this program was built without tact-store, which keeps results; install LMDB (Debian "
                           "package: liblmdb-dev), and build it with -Dstore=enabled");
}

}  // namespace loudness
