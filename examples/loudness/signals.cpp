#include "signals.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <numbers>
#include <random>
#include <span>
#include <stdexcept>

namespace loudness {
namespace {

constexpr double turn = 2.0 * std::numbers::pi;

double gain(double level_db) { return std::pow(10.0, level_db / 20.0); }

struct closer {
  void operator()(SNDFILE* file) const noexcept { sf_close(file); }
};

class writer {
 public:
  writer(const std::filesystem::path& file, int rate_hz, std::size_t channels, int format) : channels_(channels) {
    SF_INFO info{};
    info.samplerate = rate_hz;
    info.channels = static_cast<int>(channels);
    info.format = format;
    file_.reset(sf_open(file.c_str(), SFM_WRITE, &info));
    if (file_ == nullptr) throw std::runtime_error(file.string() + ": " + sf_strerror(nullptr));
    sf_command(file_.get(), SFC_SET_CLIPPING, nullptr, SF_TRUE);
  }

  // fill(frame, samples) gives one frame.
  template <class Fill>
  void write(std::size_t frames, Fill fill) {
    std::vector<double> buffer;
    for (std::size_t frame = 0; frame < frames; ++frame) {
      buffer.resize(buffer.size() + channels_);
      fill(frame, std::span(buffer).last(channels_));
      if (buffer.size() >= 8192 || frame + 1 == frames) put(buffer);
    }
  }

 private:
  void put(std::vector<double>& buffer) {
    const auto frames = static_cast<sf_count_t>(buffer.size() / channels_);
    if (sf_writef_double(file_.get(), buffer.data(), frames) != frames) {
      throw std::runtime_error(sf_strerror(file_.get()));
    }
    buffer.clear();
  }

  std::size_t channels_;
  std::unique_ptr<SNDFILE, closer> file_;
};

// The frame before which each segment ends.
std::vector<std::size_t> ends_of(const tone& tone) {
  std::vector<std::size_t> ends;
  double seconds = 0.0;
  for (const segment& s : tone.segments) {
    ends.push_back(static_cast<std::size_t>(std::llround((seconds += s.seconds) * tone.rate_hz)));
  }
  return ends;
}

double fade(const tone& tone, double seconds) { return seconds < tone.fade_in_s ? seconds / tone.fade_in_s : 1.0; }

// One note of a chord, swelling at its own pace.
struct voice {
  double frequency_hz;
  double swell_hz;
  double pan;

  void add(double seconds, std::span<double> stereo) const {
    const double level = 0.05 * (1.0 + std::sin(turn * swell_hz * seconds));
    const double sample = level * std::sin(turn * frequency_hz * seconds);
    stereo[0] += pan * sample;
    stereo[1] += (1.0 - pan) * sample;
  }
};

std::vector<voice> chord(std::mt19937& random) {
  // Divided by hand: std::uniform_real_distribution differs between standard libraries.
  const auto unit = [&random] { return static_cast<double>(random()) / 4294967296.0; };
  std::vector<voice> voices(4);
  for (voice& v : voices) v = {110.0 * std::pow(2.0, 4.0 * unit()), 0.05 + 0.2 * unit(), 0.2 + 0.6 * unit()};
  return voices;
}

}  // namespace

void write_tone(const std::filesystem::path& file, const tone& tone) {
  writer out(file, tone.rate_hz, tone.channel_gains_db.size(), tone.format);
  const std::vector<std::size_t> ends = ends_of(tone);
  std::size_t current = 0;
  out.write(ends.back(), [&](std::size_t frame, std::span<double> samples) {
    while (frame >= ends[current]) ++current;
    const double seconds = static_cast<double>(frame) / tone.rate_hz;
    const double angle = turn * (tone.frequency_hz * seconds + tone.phase_degrees / 360.0);
    const double sample = gain(tone.segments[current].level_dbfs) * fade(tone, seconds) * std::sin(angle);
    for (std::size_t channel = 0; channel < samples.size(); ++channel) {
      samples[channel] = gain(tone.channel_gains_db[channel]) * sample;
    }
  });
}

void write_material(const std::filesystem::path& file, double seconds, std::uint32_t seed) {
  constexpr int rate_hz = 48000;
  const int container = file.extension() == ".flac" ? SF_FORMAT_FLAC : SF_FORMAT_WAV;
  writer out(file, rate_hz, 2, container | SF_FORMAT_PCM_16);
  std::mt19937 random(seed);
  const std::vector<voice> voices = chord(random);
  const auto frames = static_cast<std::size_t>(std::llround(seconds * rate_hz));
  out.write(frames, [&](std::size_t frame, std::span<double> stereo) {
    const double noise = 0.02 * (static_cast<double>(random()) / 2147483648.0 - 1.0);
    stereo[0] = noise;
    stereo[1] = -noise;
    for (const voice& v : voices) v.add(static_cast<double>(frame) / rate_hz, stereo);
  });
}

}  // namespace loudness
