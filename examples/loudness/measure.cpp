#include "measure.hpp"

#include <ebur128.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <string>
#include <vector>

#include "sound_file.hpp"

namespace loudness {
namespace {

constexpr std::size_t chunk_frames = 4096;  // a few hundred kilobytes at most: stays in the second-level cache

struct meter_closer {
  void operator()(ebur128_state* meter) const noexcept { ebur128_destroy(&meter); }
};
using meter_handle = std::unique_ptr<ebur128_state, meter_closer>;

meter_handle open_meter(const sound_file& sound) {
  const auto channels = static_cast<unsigned>(sound.channels());
  const auto rate = static_cast<unsigned long>(sound.rate_hz());
  meter_handle opened(ebur128_init(channels, rate, EBUR128_MODE_I | EBUR128_MODE_LRA | EBUR128_MODE_TRUE_PEAK));
  if (opened == nullptr) {
    throw sound_error("cannot be measured: " + std::to_string(channels) + " channels at " + std::to_string(rate) +
                      " Hz (libebur128 takes 1 to 64 channels, 16 Hz to 2.8 MHz)");
  }
  unsigned channel = 0;
  for (const int type : sound.channel_map()) ebur128_set_channel(opened.get(), channel++, type);
  return opened;
}

// One such sample would stay in the meter's filters for ever and hide all that follows it.
void require_numbers(const float* samples, std::size_t count) {
  const bool all = std::all_of(samples, samples + count, [](float sample) { return std::isfinite(sample); });
  if (!all) throw sound_error("cannot be measured: contains samples that are not finite numbers");
}

std::uint64_t feed(ebur128_state& meter, sound_file& sound) {
  std::vector<float> chunk(chunk_frames * meter.channels);
  std::uint64_t frames_fed = 0;
  while (const std::size_t frames = sound.read(chunk)) {
    require_numbers(chunk.data(), frames * meter.channels);
    if (ebur128_add_frames_float(&meter, chunk.data(), frames) != EBUR128_SUCCESS) throw std::bad_alloc();
    frames_fed += frames;
  }
  return frames_fed;
}

double highest_peak(ebur128_state& meter) {
  double highest = 0.0;
  for (unsigned channel = 0; channel < meter.channels; ++channel) {
    double peak = 0.0;
    ebur128_true_peak(&meter, channel, &peak);
    highest = std::max(highest, peak);
  }
  return highest;
}

// The meter counts time in steps of 100 ms, rounded to whole frames.
std::uint64_t step_frames(const ebur128_state& meter) { return (meter.samplerate + 5) / 10; }

figure integrated(ebur128_state& meter, std::uint64_t frames) {
  if (frames < 4 * step_frames(meter)) return too_short();
  double value = 0.0;
  ebur128_loudness_global(&meter, &value);
  return measured_or_silent(value);
}

figure range(ebur128_state& meter, std::uint64_t frames, const figure& integrated) {
  if (frames < 30 * step_frames(meter)) return too_short();
  if (!integrated.is_measured()) return silent();
  double value = 0.0;
  if (ebur128_loudness_range(&meter, &value) != EBUR128_SUCCESS) throw std::bad_alloc();
  return measured(value);
}

figure true_peak(ebur128_state& meter, std::uint64_t frames) {
  return frames == 0 ? too_short() : measured_or_silent(20.0 * std::log10(highest_peak(meter)));
}

}  // namespace

measurement measure(const std::filesystem::path& path) {
  sound_file sound(path);
  const meter_handle meter = open_meter(sound);
  const std::uint64_t frames = feed(*meter, sound);
  measurement found;
  found.integrated = integrated(*meter, frames);
  found.range = range(*meter, frames, found.integrated);
  found.true_peak = true_peak(*meter, frames);
  found.duration_s = static_cast<double>(frames) / sound.rate_hz();
  found.channels = sound.channels();
  found.rate_hz = sound.rate_hz();
  return found;
}

result measure_or_explain(const std::filesystem::path& path) {
  try {
    return {path.string(), measure(path), {}};
  } catch (const sound_error& error) {
    return {path.string(), std::nullopt, error.what()};
  } catch (const std::bad_alloc&) {
    return {path.string(), std::nullopt, "cannot be measured: out of memory"};
  }
}

}  // namespace loudness
