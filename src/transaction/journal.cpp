#include "transaction/journal.hpp"

#include <utility>

namespace tact::transaction {

void* journal::to_outbox(std::uint32_t shard, unsigned slots) {
  mailbox::outbox_set::outbox& box = outboxes_->open(shard);
  if (box.touched_in_run != run_) {
    if (touched_run_ != run_) {
      touched_.clear();
      touched_run_ = run_;
    }
    touched_.push_back({shard, box.queue.here()});
    box.touched_in_run = run_;
  }
  void* place = box.queue.reserve(slots, *chunks_);
  ++sent_;
  return place;
}

detail::closure* journal::become(detail::closure* next) noexcept {
  only_sends_ = false;
  ending_ = ending::none;
  return std::exchange(next_, next);
}

bool journal::install(detail::port address, detail::closure& behavior) noexcept {
  // The one asked for last is nearly always the one meant.
  auto made = creations_.rbegin();
  while (made != creations_.rend() && made->address != address) ++made;
  if (made == creations_.rend()) return false;
  made->behavior = &behavior;
  return true;
}

void journal::cut() noexcept {
  sent_ -= lane_->cut(lane_mark_, *chunks_);
  abroad_.cut({}, *chunks_);
  if (touched_run_ != run_) return;
  for (const touched& t : touched_) sent_ -= outboxes_->open(t.shard).queue.cut(t.mark, *chunks_);
}

}  // namespace tact::transaction
