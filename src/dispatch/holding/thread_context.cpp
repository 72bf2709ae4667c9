#include "dispatch/holding/thread_context.hpp"

namespace tact::dispatch {

thread_context::thread_context(dispatch::exchange& between, kind what, unsigned index)
    : exchange_(between),
      index_(index),
      chunks_(between.mail().spare_chunks(), between.worker_count()),
      outboxes_(between.mail().outboxes()),
      held_(between.mail().outbox_of_each(), outboxes_, between.worker_count()),
      kind_(what) {
  if (is_worker()) outboxes_.set_sender(index);
}

}  // namespace tact::dispatch
