#include "meter.hpp"

#include <cmath>
#include <cstdint>
#include <new>
#include <span>
#include <string>

namespace loudness {
namespace {

// Full scale is 1. What lies beyond this is damage, and would overflow between the samples.
constexpr float sample_max = 1e10f;  // +200 dBFS

// One sample that is no number would stay in the meter's filters for ever and hide all that follows it.
void require_sound(std::span<const float> samples) {
  for (const float sample : samples) {
    if (std::fabs(sample) <= sample_max) continue;
    throw sound_error(std::isfinite(sample) ? "cannot be measured: contains samples above +200 dBFS, which is no sound"
                                            : "cannot be measured: contains samples that are not finite numbers");
  }
}

// The meter keeps three seconds of all channels, whether they come or not. A header of some bytes may promise 64
// channels at 2.8 MHz, which is 4 GB; a file whose sound is there is not much smaller than what is kept of it.
void require_proportion(const sound_file& sound) {
  constexpr std::uint64_t always = 128 << 20;
  constexpr std::uint64_t for_each_byte = 16;
  const std::uint64_t kept = std::uint64_t{3} * sizeof(double) * static_cast<std::uint64_t>(sound.channels()) *
                             static_cast<std::uint64_t>(sound.rate_hz());
  if (kept <= always + for_each_byte * sound.bytes()) return;
  throw sound_error("cannot be measured: its header says " + std::to_string(sound.channels()) + " channels at " +
                    std::to_string(sound.rate_hz()) + " Hz, which would take " + std::to_string(kept >> 20) +
                    " MiB of memory for a file of " + std::to_string(sound.bytes()) + " bytes");
}

}  // namespace

meter::meter(const std::filesystem::path& path, int modes) : sound_(path) {
  require_proportion(sound_);
  const auto channels = static_cast<unsigned>(sound_.channels());
  const auto rate = static_cast<unsigned long>(sound_.rate_hz());
  state_.reset(ebur128_init(channels, rate, modes));
  if (state_ == nullptr) {
    throw sound_error("cannot be measured: " + std::to_string(channels) + " channels at " + std::to_string(rate) +
                      " Hz (libebur128 takes 1 to 64 channels, 16 Hz to 2.8 MHz)");
  }
  unsigned channel = 0;
  for (const int type : sound_.channel_map()) ebur128_set_channel(state_.get(), channel++, type);
}

std::size_t meter::play(std::size_t frames) {
  samples_.resize(frames * state_->channels);
  const std::size_t played = sound_.read(samples_);
  require_sound(std::span(samples_).first(played * state_->channels));
  if (ebur128_add_frames_float(state_.get(), samples_.data(), played) != EBUR128_SUCCESS) throw std::bad_alloc();
  frames_played_ += played;
  return played;
}

}  // namespace loudness
