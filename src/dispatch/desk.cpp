#include "dispatch/desk.hpp"

#include "dispatch/dispatcher.hpp"

namespace tact::dispatch {

desk::desk(dispatcher& owner, unsigned index, shard_numbers homes)
    : owner_(&owner),
      index_(index),
      chunks_(owner.spare_chunks()),
      outboxes_(static_cast<std::uint32_t>(owner.shards().size())),
      is_blocking_(index >= owner.worker_count()),
      homes_(homes) {}

void desk::flush() {
  if (outboxes_.nothing_open()) return;
  outboxes_.flush(
      [this](std::uint32_t number, mailbox::copy_queue::chain messages) { owner_->publish(number, messages); });
}

}  // namespace tact::dispatch
