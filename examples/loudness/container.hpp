// What the container of a sound file says of its own length: libsndfile takes what is there for the whole of it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

namespace loudness {

struct sound_bytes {
  std::uint64_t declared;  // by the header
  std::uint64_t present;   // in the file, of these; of all that follows the header where it declares none
};

// Of WAV, AIFF and AU. Nothing: it is another container, or its header leaves the length open, as that of a stream
// does.
std::optional<sound_bytes> sound_bytes_of(const std::filesystem::path& path);

// The file is an Ogg one, and does not end with the page that is marked as its last.
bool is_ogg_without_end(const std::filesystem::path& path);

}  // namespace loudness
