// Shows what an archive has, without the sound files.
#pragma once

#include <iosfwd>
#include <string_view>
#include <vector>

#include "options.hpp"
#include "result.hpp"

namespace loudness {

// REQUIRES: !asked.browsed.empty(). Throws std::runtime_error.
void browse(std::ostream& out, const options& asked);

// Those whose path has the text. Latin letters are the same whatever their case.
std::vector<result> with_text(std::vector<result> all, std::string_view text);
// The files, folder by folder, in the order that they have; the folders by path.
void write_folders(std::ostream& out, const std::vector<result>& files);
void write_folders_json(std::ostream& out, const std::vector<result>& files);

}  // namespace loudness
