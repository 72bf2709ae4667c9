#include "meter.hpp"

#include <algorithm>
#include <cmath>
#include <new>
#include <span>
#include <string>

namespace loudness {
namespace {

// One such sample would stay in the meter's filters for ever and hide all that follows it.
void require_numbers(std::span<const float> samples) {
  const bool all = std::all_of(samples.begin(), samples.end(), [](float sample) { return std::isfinite(sample); });
  if (!all) throw sound_error("cannot be measured: contains samples that are not finite numbers");
}

}  // namespace

meter::meter(const std::filesystem::path& path, int modes) : sound_(path) {
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
  require_numbers(std::span(samples_).first(played * state_->channels));
  if (ebur128_add_frames_float(state_.get(), samples_.data(), played) != EBUR128_SUCCESS) throw std::bad_alloc();
  frames_played_ += played;
  return played;
}

}  // namespace loudness
