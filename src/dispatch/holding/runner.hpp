// The interface to the code that runs the messages which the dispatcher has brought to a thread.
#pragma once

#include <cstdint>

#include "dispatch/holding/lane_measures.hpp"
#include "mailbox/shard.hpp"

namespace tact::dispatch {

// A worker runs a shard's messages by its runner. The dispatcher decides which shards a thread holds, and the runner
// runs and measures their messages: docs/architecture.md says which side decides what. The dispatcher knows no more of
// actors than this.
class runner {
 public:
  virtual ~runner() = default;
  // Runs the messages in the lane of a shard that the worker holds, until the lane is empty, a budget is spent, or the
  // dispatcher stops.
  virtual void run_lane(mailbox::shard& held) = 0;
  // Ends the actor for which the first message of the lane is, if it lives in this shard, before it handles anything.
  virtual void end_receiver(mailbox::shard& held) noexcept = 0;
  // What this runner counts and measures, for as long as the runner lives.
  [[nodiscard]] virtual lane_measures measures() const noexcept = 0;
  // Makes everything counted so far visible to other threads.
  virtual void publish_counters() noexcept = 0;
  // As publish_counters, for a thread that is about to sleep or to leave, while another thread may wait for quiet.
  virtual void publish_exactly() noexcept = 0;
  // True: by the counters that have been published no message is in flight and none runs.
  [[nodiscard]] virtual bool sees_quiet() const noexcept = 0;
  // Called first of all on the runner's thread, or on a thread that begins to drive the worker.
  virtual void on_start() noexcept = 0;
  // Called when a thread stops driving the worker.
  virtual void on_leave() noexcept = 0;
  // The number of messages committed, failed or buried since the beginning.
  [[nodiscard]] virtual std::uint64_t count_handled() const noexcept = 0;
  // What the worker does besides running messages, for a record of its steps.
  enum class deed : unsigned char { parked, woke, stole };
  virtual void note(deed) noexcept {}
  // Gives memory back, because the worker has been idle for a while.
  virtual void trim() noexcept = 0;
  // Gives back a piece of what the whole engine keeps, because all workers are idle. It takes some 50 microseconds, so
  // that a message which comes meanwhile does not wait for long. False: there is nothing left to give back.
  virtual bool trim_shared() noexcept { return false; }
};

}  // namespace tact::dispatch
