#include "transactions/journal.hpp"

#include <algorithm>

namespace tact::transactions {

void* journal::to_lane(unsigned slots) {
  if (!lane_->has_room(slots) && lane_tail_ == nullptr) {
    note(shard_sends);
    lane_tail_ = lane_->tail();
  }
  void* place = lane_->reserve(slots, *chunks_);
  ++window_->sent;
  return place;
}

void journal::make_room_for_creation() {
  const auto created = created_end_ - room_.data();
  room_.resize(2 * room_.size() + 1);
  created_end_ = room_.data() + created;
  room_end_ = room_.data() + room_.size();
}

bool journal::install(detail::port address, detail::closure& behavior) noexcept {
  // Searched from the end, because the address that was created last is nearly always the one meant.
  const std::span made(room_.data(), created_end_);
  const auto found = std::find_if(made.rbegin(), made.rend(), [=](const creation& c) { return c.address == address; });
  if (found == made.rend()) return false;
  found->behavior = &behavior;
  return true;
}

void journal::cut() noexcept {
  window_->sent -= lane_->cut(lane_mark(), *chunks_);
  abroad_.cut({}, *chunks_);
  window_->sent -= front_.cut({}, *chunks_);
  for (auto* box : written_) window_->sent -= box->queue.cut(box->before, *chunks_);
  forget_marks();
}

}  // namespace tact::transactions
