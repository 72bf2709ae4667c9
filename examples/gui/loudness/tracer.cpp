#include "tracer.hpp"

namespace loudness {

void tracer::receive(tact::self<tracer>& self, const trace& m) {
  work_.reset();
  if (!m.path.empty()) work_.emplace(m.path);
  self.send(shown_, curve_begun{m.path});
  continue_with(self);
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
