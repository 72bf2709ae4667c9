// Where threads outside the engine put messages for a shard: a copy queue behind a lock, taken whole by a gulp.
#pragma once

#include <mutex>

#include "mailbox/copy_queue.hpp"
#include "sync/policy.hpp"

namespace tact::mailbox {

// A sender outside has no chunk of its own to fill and no later moment at which to publish it, so each message is
// visible at once. Thread safety: any thread. Order: as the lock was taken, so first in first out for each sender.
class inbox {
 public:
  // Moves the payload in. True: the inbox was empty, the caller posts mail to the shard's word.
  [[nodiscard]] bool put(const detail::message_type& type, detail::port target, void* payload, depot& spare) {
    std::lock_guard lock(mutex_);
    const bool was_empty = queue_.empty();
    auto* e = new (queue_.reserve(type.slots(), spare)) envelope(type, target);
    if (type.relocate != nullptr) {
      type.relocate(payload, e->payload());
    } else {
      std::memcpy(e->payload(), payload, type.payload_bytes);
    }
    return was_empty;
  }

  // Takes everything, oldest chunk first. The holder that drained them keeps the chunks.
  [[nodiscard]] chunk* take() noexcept {
    std::lock_guard lock(mutex_);
    return queue_.take().oldest;
  }

 private:
  sync::real::mutex mutex_;
  copy_queue queue_;
};

}  // namespace tact::mailbox
