// A sound file that is played through a meter of libebur128, piece by piece.
#pragma once

#include <ebur128.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <vector>

#include "sound_file.hpp"

namespace loudness {

class meter {
 public:
  // `modes` as those of ebur128_init. Throws sound_error.
  meter(const std::filesystem::path& path, int modes);

  // Plays so many frames, or what is left of them, and says how many those were: fewer, when the file ends. Throws
  // sound_error, std::bad_alloc.
  std::size_t play(std::size_t frames);

  // Of the library: for its functions that answer.
  [[nodiscard]] ebur128_state& state() const noexcept { return *state_; }
  [[nodiscard]] const sound_file& sound() const noexcept { return sound_; }
  [[nodiscard]] std::uint64_t frames_played() const noexcept { return frames_played_; }
  // The meter counts time in steps of 100 ms, rounded to whole frames.
  [[nodiscard]] std::size_t step_frames() const noexcept { return (state_->samplerate + 5) / 10; }

 private:
  struct closer {
    void operator()(ebur128_state* state) const noexcept { ebur128_destroy(&state); }
  };

  sound_file sound_;
  std::unique_ptr<ebur128_state, closer> state_;
  std::vector<float> samples_;
  std::uint64_t frames_played_ = 0;
};

}  // namespace loudness
