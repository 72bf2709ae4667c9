#include "analyst.hpp"

#include <chrono>
#include <memory>
#include <utility>

namespace loudness {

void analyst::receive(tact::self<analyst>& self, const candidate& m) {
  work_.emplace(m.path);
  bytes_ = m.bytes;
  bytes_told_ = 0;
  continue_with(self);
}

void analyst::receive(tact::self<analyst>& self, const next_piece&) {
  if (is_paused_) {
    is_held_up_ = true;
    return;
  }
  const auto begin = std::chrono::steady_clock::now();
  std::optional<result> done = work_->advance();
  work_done told{.took = std::chrono::steady_clock::now() - begin};
  const auto bytes = done ? bytes_ : static_cast<std::uint64_t>(work_->share() * static_cast<double>(bytes_));
  told.bytes = bytes - std::exchange(bytes_told_, bytes);
  if (!done) {
    self.send(report_, told);
    return continue_with(self);
  }
  work_.reset();
  told.files = 1;
  told.failed = done->figures ? 0 : 1;
  told.cut_short = is_cut_short(*done) ? 1 : 0;
  self.send(results_, std::make_shared<const result>(*std::move(done)));
  self.send(report_, told);
  self.send(agenda_, next_file{self.ref()});
}

void analyst::receive(tact::self<analyst>&, const pause&) { is_paused_ = true; }

void analyst::receive(tact::self<analyst>& self, const go_on&) {
  is_paused_ = false;
  if (std::exchange(is_held_up_, false)) continue_with(self);
}

void analyst::continue_with(tact::self<analyst>& self) { self.send(self.ref(), next_piece{}); }

}  // namespace loudness
