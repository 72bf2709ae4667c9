#include "measure.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <new>

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

measurement figures_of(const meter& meter) {
  measurement found;
  found.integrated = integrated(meter);
  found.range = range(meter, found.integrated);
  found.true_peak = true_peak(meter);
  found.duration_s = static_cast<double>(meter.frames_played()) / meter.sound().rate_hz();
  found.channels = meter.sound().channels();
  found.rate_hz = meter.sound().rate_hz();
  return found;
}

}  // namespace

std::optional<measurement> measuring::take_piece() {
  if (!meter_) meter_.emplace(path_, EBUR128_MODE_I | EBUR128_MODE_LRA | EBUR128_MODE_TRUE_PEAK);
  const std::size_t frames = piece_samples / meter_->state().channels;
  return meter_->play(frames) == frames ? std::nullopt : std::optional(figures_of(*meter_));
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
