// Test signals as EBU Tech 3341 and 3342 describe them, and longer material, written as sound files.
#pragma once

#include <sndfile.h>

#include <cstdint>
#include <filesystem>
#include <vector>

namespace loudness {

struct segment {
  double level_dbfs;  // of the sine's peak
  double seconds;
};

// A sine without interruption, whose level steps from segment to segment.
struct tone {
  std::vector<segment> segments;
  double frequency_hz = 1000.0;
  double phase_degrees = 0.0;
  double fade_in_s = 0.0;
  int rate_hz = 48000;
  std::vector<double> channel_gains_db{0.0, 0.0};
  int format = SF_FORMAT_WAV | SF_FORMAT_PCM_24;
};

// Both throw std::runtime_error.
void write_tone(const std::filesystem::path& file, const tone& tone);

// Chords with swells and noise, stereo, 48 kHz; the ending of the name chooses FLAC or WAV. The same seed, the same
// file.
void write_material(const std::filesystem::path& file, double seconds, std::uint32_t seed);

}  // namespace loudness
