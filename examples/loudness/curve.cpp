#include "curve.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <new>

namespace loudness {
namespace {

constexpr std::size_t piece_samples = 64 * 1024;  // two milliseconds or so of work

}  // namespace

void curve_tracing::extend(curve_piece& piece) {
  if (!meter_) meter_.emplace(path_, EBUR128_MODE_S);
  const std::size_t step = meter_->step_frames();
  const auto seconds = [this](std::uint64_t frames) { return static_cast<double>(frames) / meter_->sound().rate_hz(); };
  for (std::size_t played = 0; played * meter_->state().channels < piece_samples; played += step) {
    piece.is_last = meter_->play(step) < step;
    piece.duration_s = seconds(std::max(meter_->sound().frames(), meter_->frames_played()));
    if (piece.is_last) piece.duration_s = seconds(meter_->frames_played());
    if (piece.is_last) return;
    if (meter_->frames_played() < 30 * step) continue;
    double value = 0.0;
    ebur128_loudness_shortterm(&meter_->state(), &value);
    piece.values.push_back(static_cast<float>(value));
  }
}

curve_piece curve_tracing::advance() {
  curve_piece piece;
  try {
    extend(piece);
  } catch (const sound_error& error) {
    piece.failure = error.what();
  } catch (const std::bad_alloc&) {
    piece.failure = "cannot be measured: out of memory";
  }
  piece.is_last = piece.is_last || !piece.failure.empty();
  return piece;
}

}  // namespace loudness
