// Where the message lies that a thread runs.
#pragma once

#include "actors/wait/lane_stack.hpp"
#include "mailbox/copy_queue.hpp"
#include "mailbox/envelope.hpp"
#include "mailbox/shard.hpp"

namespace tact::actors {

// A message stays at the front of the queue that is read until its run is over; or it lies where the handler that
// waited has left it. Thread safety: the thread that runs it.
class message_place {
 public:
  // The thread runs the lane of this shard, the first of those that it holds; or it runs no lane any more.
  void enter(mailbox::shard& held) noexcept {
    shard_ = &held;
    runs_lane_ = true;
  }
  void leave() noexcept { runs_lane_ = false; }
  [[nodiscard]] bool runs_lane() const noexcept { return runs_lane_; }
  [[nodiscard]] mailbox::shard& shard() const noexcept { return *shard_; }

  [[nodiscard]] mailbox::envelope& message() const noexcept {
    return resumed_ == nullptr ? queue().front() : *resumed_->message;
  }
  // The stack of the handler that goes on after a wait; null: the handler has not waited.
  [[nodiscard]] lane_stack* resumed() const noexcept { return resumed_; }
  void go_on_with(lane_stack* s) noexcept { resumed_ = s; }

  // The queue that is read: the lane, or the effects of the message before.
  [[nodiscard]] mailbox::copy_queue& queue() const noexcept { return effects_ != nullptr ? *effects_ : shard_->lane; }
  void read_from(mailbox::copy_queue* effects) noexcept { effects_ = effects; }

 private:
  mailbox::shard* shard_ = nullptr;
  lane_stack* resumed_ = nullptr;
  mailbox::copy_queue* effects_ = nullptr;  // which are run; null: the lane is
  bool runs_lane_ = false;
};

}  // namespace tact::actors
