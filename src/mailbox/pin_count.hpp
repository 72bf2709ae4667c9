// How many parked handlers still use a message in a chunk that its queue may have read. docs/protocols/parked_ask.md.
#pragma once

#include <cstdint>

#include "sync/policy.hpp"

namespace tact::mailbox {

// 0: only the queue uses the chunk. n: so many handlers use it beside the queue. After the queue has left the count is
// one less than the number of handlers.
//
// Thread safety: pin and leave by the holder of the queue; unpin by any thread, once for each pin.
// Invariant: of the queue and all handlers exactly one is told that it was the last, and gets the chunk.
template <class Sync>
class pin_count {
 public:
  // relaxed: owner-only raises it; the thread that unpins got the message from the owner.
  void pin() noexcept { users_.fetch_add(1, std::memory_order_relaxed); }

  // The queue has read all of the chunk. True: no handler uses it any more, and the chunk is the caller's.
  [[nodiscard]] bool leave() noexcept {
    if (Sync::planted(sync::fault::pin_not_looked_at)) return true;
    // acquire: the uses of the handlers that unpinned are over.  pairs: pin_count.unpin
    if (users_.load(std::memory_order_acquire) == 0) return true;
    // acq_rel: as above; and the queue's reads are over for the last one that unpins.  pairs: pin_count.unpin
    return users_.fetch_sub(1, std::memory_order_acq_rel) == 0;
  }

  // A handler uses the chunk no longer. True: the queue has left and this was the last use; the chunk is the caller's.
  // acq_rel: this handler's uses are over; observes that those of all others are.  pairs: pin_count.unpin
  [[nodiscard]] bool unpin() noexcept { return users_.fetch_sub(1, std::memory_order_acq_rel) == 0; }

  // relaxed: private until published; the chunk belongs to one caller alone.
  void clear() noexcept { users_.store(0, std::memory_order_relaxed); }

 private:
  typename Sync::template atomic<std::int32_t> users_{0};
};

}  // namespace tact::mailbox
