#include "transaction/journal.hpp"

namespace tact::transaction {

void* journal::to_lane(unsigned slots) {
  if (!lane_->has_room(slots) && lane_tail_ == nullptr) {
    note(shard_sends);
    lane_tail_ = lane_->tail();
  }
  void* place = lane_->reserve(slots, *chunks_);
  ++window_->sent;
  return place;
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
  window_->sent -= lane_->cut(lane_mark(), *chunks_);
  abroad_.cut({}, *chunks_);
  for (auto* box : written_) window_->sent -= box->queue.cut(box->before, *chunks_);
  forget_marks();
}

}  // namespace tact::transaction
