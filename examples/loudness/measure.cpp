#include "measure.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <new>
#include <string>

#include "container.hpp"
#include "report.hpp"

namespace loudness {
namespace {

// A millisecond or two of work; 128 KiB, which stay in the second-level cache.
constexpr std::size_t piece_samples = 32 * 1024;

double highest_peak(const meter& meter) {
  double highest = 0.0;
  for (unsigned channel = 0; channel < meter.state().channels; ++channel) {
    double peak = 0.0;
    ebur128_true_peak(&meter.state(), channel, &peak);
    highest = std::max(highest, peak);
  }
  return highest;
}

figure integrated(const meter& meter) {
  if (meter.frames_played() < 4 * meter.step_frames()) return too_short();
  double value = 0.0;
  ebur128_loudness_global(&meter.state(), &value);
  return measured_or_silent(value);
}

figure range(const meter& meter, const figure& integrated) {
  if (meter.frames_played() < 30 * meter.step_frames()) return too_short();
  if (!integrated.is_measured()) return silent();
  double value = 0.0;
  if (ebur128_loudness_range(&meter.state(), &value) != EBUR128_SUCCESS) throw std::bad_alloc();
  return measured(value);
}

figure true_peak(const meter& meter) {
  return meter.frames_played() == 0 ? too_short() : measured_or_silent(20.0 * std::log10(highest_peak(meter)));
}

// "header says 3:10.0, file has 1:35.0"; empty when they agree.
std::string lengths(double declared_s, double found_s) {
  return "header says " + duration_text(declared_s) + ", file has " + duration_text(found_s);
}

// Encoders of MP3 count in pieces, and their decoders leave out what they put before and behind the sound.
constexpr std::uint64_t mp3_frames = 4 * 1152;

std::string missing_sound(const std::filesystem::path& path, const meter& meter) {
  const std::uint64_t played = meter.frames_played();
  const auto found_s = static_cast<double>(played) / meter.sound().rate_hz();
  if (const auto bytes = sound_bytes_of(path)) {
    if (bytes->declared == 0 && bytes->present != 0 && played == 0) {
      return "header says " + duration_text(0.0) + ", but " + std::to_string(bytes->present) + " bytes follow it";
    }
    if (played == 0 || bytes->present >= bytes->declared) return {};
    // Less than one frame is missing: many a program rounds.
    if ((bytes->declared - bytes->present) * played < bytes->present) return {};
    return lengths(found_s * static_cast<double>(bytes->declared) / static_cast<double>(bytes->present), found_s);
  }
  if (is_ogg_without_end(path)) return "its last page is missing, file has " + duration_text(found_s);
  const std::uint64_t declared = meter.sound().frames();
  if (declared <= played + (meter.sound().is_mp3() ? mp3_frames : 0)) return {};
  return lengths(static_cast<double>(declared) / meter.sound().rate_hz(), found_s);
}

measurement figures_of(const std::filesystem::path& path, const meter& meter) {
  measurement found;
  found.integrated = integrated(meter);
  found.range = range(meter, found.integrated);
  found.true_peak = true_peak(meter);
  found.duration_s = static_cast<double>(meter.frames_played()) / meter.sound().rate_hz();
  found.channels = meter.sound().channels();
  found.rate_hz = meter.sound().rate_hz();
  found.cut_short = missing_sound(path, meter);
  return found;
}

}  // namespace

std::optional<measurement> measuring::take_piece() {
  if (!meter_) meter_.emplace(path_, EBUR128_MODE_I | EBUR128_MODE_LRA | EBUR128_MODE_TRUE_PEAK);
  const std::size_t tenth_samples = meter_->step_frames() * meter_->state().channels;
  for (std::size_t played = 0; played < piece_samples; played += tenth_samples) {
    if (!play_tenth()) return figures_of(path_, *meter_);
  }
  return {};
}

// Returns false if the file has ended.
bool measuring::play_tenth() {
  constexpr unsigned long tenth_ms = 100;
  const std::size_t frames = meter_->step_frames();
  if (meter_->play(frames) < frames) return false;
  double lufs = 0.0;
  ebur128_loudness_window(&meter_->state(), tenth_ms, &lufs);
  track_.add(lufs);
  return true;
}

std::optional<result> measuring::advance() {
  try {
    if (const auto figures = take_piece()) return result{path_.string(), figures, {}};
    return {};
  } catch (const sound_error& error) {
    return result{path_.string(), std::nullopt, error.what()};
  } catch (const std::bad_alloc&) {
    return result{path_.string(), std::nullopt, "cannot be measured: out of memory"};
  }
}

double measuring::share() const noexcept {
  if (!meter_ || meter_->sound().frames() == 0) return 0.0;
  const auto all = static_cast<double>(meter_->sound().frames());
  return std::min(1.0, static_cast<double>(meter_->frames_played()) / all);
}

result measure(const std::filesystem::path& path) {
  measuring work(path);
  for (;;) {
    if (auto done = work.advance()) return *std::move(done);
  }
}

}  // namespace loudness
