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

void desk::flush() {
  if (outboxes_.nothing_open()) return;
  sync::may_switch();
  runner_->publish_counters(false);
  outboxes_.flush([this](std::uint32_t number, mailbox::outbox_set::outbox& box) {
    box.published.add(owner_->publish(number, box.queue.take()));
  });
}

}  // namespace tact::dispatch
