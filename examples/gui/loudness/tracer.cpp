#include "tracer.hpp"

#include <stdexcept>

#include "loudness_curves.hpp"

namespace loudness {

void tracer::receive(tact::self<tracer>& self, const trace& m) {
  work_.reset();
  self.send(shown_, curve_begun{m.path});
  if (m.path.empty()) return;
  if (auto known = kept_curve(m.path)) {
    self.send(shown_, *std::move(known));
    return;
  }
  work_.emplace(m.path);
  continue_with(self);
}

// Nothing: it was not kept, or the file is another one now.
std::optional<curve_piece> tracer::kept_curve(const std::string& path) const {
  if (kept_ == nullptr) return {};
  try {
    const auto stamp = stamp_of(path);
    if (stamp && !kept_->find(path, *stamp)) return {};
    const auto track = kept_->track_of(path);
    if (!track) return {};
    const auto tenths = static_cast<double>(track->levels.size());
    return curve_piece{curves_of(*track).short_term, curve_step_s * tenths, true};
  } catch (const std::runtime_error&) {
    return {};  // the file itself has the curve
  }
}

void tracer::receive(tact::self<tracer>& self, const next_of_curve&) {
  goes_on_ = false;
  if (!work_) return;
  curve_piece piece = work_->advance();
  if (piece.is_last) work_.reset();
  self.send(shown_, std::move(piece));
  continue_with(self);
}

void tracer::continue_with(tact::self<tracer>& self) {
  if (work_ && !std::exchange(goes_on_, true)) self.send(self.ref(), next_of_curve{});
}

}  // namespace loudness
