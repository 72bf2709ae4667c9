// A sound file that is read from its beginning to its end.
#pragma once

#include <sndfile.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <stdexcept>
#include <vector>

namespace loudness {

// what() is the reason, without the file's name.
class sound_error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The name ends as one of the formats that libsndfile decodes.
bool has_sound_name(const std::filesystem::path& path);

class sound_file {
 public:
  explicit sound_file(const std::filesystem::path& path);  // throws sound_error

  [[nodiscard]] int channels() const noexcept { return info_.channels; }
  [[nodiscard]] int rate_hz() const noexcept { return info_.samplerate; }
  // As the file says; there may be fewer in it. 0: it does not say.
  [[nodiscard]] std::uint64_t frames() const noexcept;
  [[nodiscard]] bool is_mp3() const noexcept { return (info_.format & SF_FORMAT_TYPEMASK) == SF_FORMAT_MPEG; }
  [[nodiscard]] std::uint64_t bytes() const noexcept { return bytes_; }
  [[nodiscard]] std::vector<int> channel_map() const;
  // Fills the buffer with whole frames, interleaved. Fewer than fit: the file ends. Throws sound_error.
  std::size_t read(std::span<float> samples);

 private:
  struct closer {
    void operator()(SNDFILE* file) const noexcept { sf_close(file); }
  };

  SF_INFO info_{};
  std::uint64_t bytes_ = 0;
  std::unique_ptr<SNDFILE, closer> file_;
};

}  // namespace loudness
