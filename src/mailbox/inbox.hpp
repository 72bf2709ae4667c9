// Where threads outside the engine put messages for a shard: a copy queue behind a lock, taken whole by a gulp.
#pragma once

#include <mutex>

#include "mailbox/copy_queue.hpp"
#include "sync/owned_counter.hpp"
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
    put_.add(1);
    auto* e = new (queue_.reserve(type.slots(), spare)) envelope(type, target);
    if (type.relocate != nullptr) {
      type.relocate(payload, e->payload());
    } else {
      std::memcpy(e->payload(), payload, type.payload_bytes);
    }
    return was_empty;
  }

  // Messages that were ever put here.
  [[nodiscard]] std::uint64_t count_put() const noexcept { return put_.read(); }

  // Takes everything, oldest chunk first, and leaves `spare`, which may be null, for what comes next. The holder that
  // drained the chunks keeps them; so with one spare each way a steady load needs no new ones.
  [[nodiscard]] chunk* take(chunk* spare) noexcept {
    std::lock_guard lock(mutex_);
    chunk* all = queue_.take().oldest;
    queue_.equip(spare);
    return all;
  }

 private:
  sync::real::mutex mutex_;
  copy_queue queue_;
  sync::owned_counter put_;  // by whoever has the lock
};

}  // namespace tact::mailbox
