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

void* journal::to_outbox(std::uint32_t shard, unsigned slots) {
  mailbox::outbox_set::outbox& box = outboxes_->open(shard);
  if (!box.touched) {
    touched_.push_back({shard, box.queue.here()});
    box.touched = true;
    note(shard_sends);
  }
  void* place = box.queue.reserve(slots, *chunks_);
  ++window_->sent;
  return place;
}

void journal::forget_marks() noexcept {
  for (const touched& t : touched_) outboxes_->open(t.shard).touched = false;
  touched_.clear();
  lane_tail_ = nullptr;
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
  for (const touched& t : touched_) window_->sent -= outboxes_->open(t.shard).queue.cut(t.mark, *chunks_);
  forget_marks();
}

}  // namespace tact::transaction
