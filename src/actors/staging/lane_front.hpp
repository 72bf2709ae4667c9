// Messages that are put back in front of a lane, because they are older than anything in it.
#pragma once

#include <utility>

#include "actors/common/names.hpp"
#include "actors/staging/run_state.hpp"
#include "mailbox/copy_queue.hpp"

namespace tact::actors {

// One message may put others back; they are in front of the lane before the next one is dispatched.
// Thread safety: the thread of the run only.
class lane_front {
 public:
  explicit lane_front(run_state& r) noexcept : run_(r) {}

  // REQUIRES: some are in `older`, none was popped from it, and the message that is run has put back none yet.
  void begin_with(mailbox::copy_queue& older) noexcept {
    back_.begin_with(older.take());
    run_.meter().look_up_next();
  }
  // Puts messages of the actor that runs in front. If its handler has waited, other messages are put aside for it, and
  // these come before them.
  void begin_with_own(mailbox::copy_queue& older) noexcept;
  void put_back() {
    if (!back_.empty()) [[unlikely]]
      put_back_all();
  }

 private:
  void put_back_all();

  run_state& run_;
  mailbox::copy_queue back_;
};

}  // namespace tact::actors
