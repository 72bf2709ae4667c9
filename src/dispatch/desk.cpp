#include "dispatch/desk.hpp"

#include "dispatch/dispatcher.hpp"

namespace tact::dispatch {

desk::desk(dispatcher& owner, post what, unsigned index)
    : owner_(&owner),
      index_(index),
      chunks_(owner.spare_chunks()),
      outboxes_(static_cast<std::uint32_t>(owner.shards().size())),
      joined_(static_cast<std::uint32_t>(owner.shards().size())),
      post_(what) {}

void desk::look_ahead() noexcept {
  next_home_ = 0;
  homes_end_ = find_homes(homes_);
}

// Each round of a row begins one shard further on, or every eighth of those that are made in a row, say, would be in
// the same one. Source of the idea: skewed storage, Budnik and Kuck 1971.
void desk::skew(std::size_t made_in_row) noexcept {
  if (made_in_row == round_) left_of_round_ = 1;
  if (--left_of_round_ != 0) return;
  left_of_round_ = round_;
  if (next_home_ == homes_end_) look_ahead();
  ++next_home_;
}

void desk::flush() {
  if (outboxes_.nothing_open()) return;
  sync::may_switch();
  runner_->publish_counters(false);
  outboxes_.flush(chunks_, [this](std::uint32_t number, mailbox::outbox_set::outbox& box) {
    const dispatcher::published sent = owner_->publish(number, box.queue.take());
    outboxes_.count_published(number, sent.messages, sent.chunks);
  });
}

void desk::give_back(unsigned chunks_kept) noexcept {
  runner_->trim();
  chunks_.trim(chunks_kept);
  owner_->settle(outboxes_);
}

}  // namespace tact::dispatch
