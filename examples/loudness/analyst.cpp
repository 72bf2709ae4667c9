#include "analyst.hpp"

#include <chrono>
#include <memory>
#include <string>
#include <utility>

namespace loudness {
namespace {

// What is told of a file that is done, all at once.
struct outcome {
  tact::ref<shared_result> results;
  tact::ref<work_done> report;
  result row;
  work_done told;

  void tell(tact::transaction& tx) const {
    tx.send(results, std::make_shared<const result>(row));
    tx.send(report, told);
  }
  void tell_not_kept(tact::transaction& tx, const std::string& why) const {
    outcome other = *this;
    other.row.not_kept = why;
    other.tell(tx);
  }
};

}  // namespace

void analyst::receive(tact::self<analyst>& self, const candidate& m) {
  work_.emplace(m.path, kept_);
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
  std::optional<examined> done = work_->advance();
  work_done told{.took = std::chrono::steady_clock::now() - begin};
  const auto bytes = done ? bytes_ : static_cast<std::uint64_t>(work_->share() * static_cast<double>(bytes_));
  told.bytes = bytes - std::exchange(bytes_told_, bytes);
  if (!done) {
    self.send(report_, told);
    return continue_with(self);
  }
  work_.reset();
  told.files = 1;
  told.failed = done->row.figures ? 0 : 1;
  told.cut_short = is_cut_short(done->row) ? 1 : 0;
  told.known = done->row.was_known ? 1 : 0;
  tell(self, *std::move(done), told);
  self.send(agenda_, next_file{self.ref()});
}

// What is told was kept: so a crash takes nothing that was told more than a second before.
void analyst::tell(tact::self<analyst>& self, examined done, work_done told) const {
  const auto all = std::make_shared<const outcome>(outcome{results_, report_, std::move(done.row), told});
  if (!done.to_keep) return all->tell(self);
  self.ask(
      kept_->keeper(), *std::move(done.to_keep), [all](auto& tx) { all->tell(tx); },
      [all](auto& tx, const tact::failure& why) { all->tell_not_kept(tx, why.what); });
}

void analyst::receive(tact::self<analyst>&, const pause&) { is_paused_ = true; }

void analyst::receive(tact::self<analyst>& self, const go_on&) {
  is_paused_ = false;
  if (std::exchange(is_held_up_, false)) continue_with(self);
}

void analyst::continue_with(tact::self<analyst>& self) { self.send(self.ref(), next_piece{}); }

}  // namespace loudness
