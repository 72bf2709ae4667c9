#include "sound_file.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <mutex>
#include <string>
#include <string_view>
#include <system_error>

#include "channel_map.hpp"

namespace loudness {
namespace {

// libsndfile keeps the reason of a failed open in a global variable: without this, parallel openers would read each
// other's reasons. Decoding, where the time goes, is not under it.
std::mutex opening;

// libsndfile says only "System error." for a file that the system refuses.
std::uint64_t readable_bytes(const std::filesystem::path& path) {
  std::error_code unknown;  // what does not exist is explained by the attempt to open it
  if (std::filesystem::exists(path, unknown) && !std::filesystem::is_regular_file(path, unknown)) {
    throw sound_error("not a regular file");
  }
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> probe(std::fopen(path.c_str(), "rb"), &std::fclose);
  if (probe == nullptr) throw sound_error(std::generic_category().message(errno));
  const std::uintmax_t bytes = std::filesystem::file_size(path, unknown);
  if (unknown) throw sound_error(unknown.message());
  if (bytes == 0) throw sound_error("the file is empty");
  return bytes;
}

std::string reason(SNDFILE* file) {
  std::string text = sf_strerror(file);
  if (const std::string_view prefix = "Error : "; text.starts_with(prefix)) text.erase(0, prefix.size());
  while (!text.empty() && (text.back() == '.' || text.back() == '\n')) text.pop_back();
  return "cannot be decoded: " + text;
}

}  // namespace

bool has_sound_name(const std::filesystem::path& path) {
  static constexpr std::array<std::string_view, 10> endings{".wav",  ".flac", ".ogg", ".oga", ".opus",
                                                            ".aiff", ".aif",  ".au",  ".caf", ".mp3"};
  std::string ending = path.extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return std::find(endings.begin(), endings.end(), ending) != endings.end();
}

sound_file::sound_file(const std::filesystem::path& path) : bytes_(readable_bytes(path)) {
  const std::lock_guard lock(opening);
  file_.reset(sf_open(path.c_str(), SFM_READ, &info_));
  if (file_ == nullptr) throw sound_error(reason(nullptr));
}

std::uint64_t sound_file::frames() const noexcept {
  return info_.frames < 0 || info_.frames == SF_COUNT_MAX ? 0 : static_cast<std::uint64_t>(info_.frames);
}

std::vector<int> sound_file::channel_map() const { return loudness::channel_map(file_.get(), info_); }

std::size_t sound_file::read(std::span<float> samples) {
  const auto frames = static_cast<sf_count_t>(samples.size() / static_cast<std::size_t>(channels()));
  const sf_count_t got = sf_readf_float(file_.get(), samples.data(), frames);
  if (sf_error(file_.get()) != SF_ERR_NO_ERROR) throw sound_error(reason(file_.get()));
  return static_cast<std::size_t>(got);
}

}  // namespace loudness
