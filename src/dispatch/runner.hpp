// What runs the messages that the dispatcher has brought to a thread.
#pragma once

#include <cstdint>
#include <optional>

#include "mailbox/office.hpp"
#include "mailbox/shard.hpp"

namespace tact::dispatch {

// What a worker runs a shard's messages with. The dispatcher knows no more of actors than this.
class runner {
 public:
  virtual ~runner() = default;
  // Runs the messages in the lane of a shard that the worker holds, until the lane is empty, a budget is spent, or the
  // dispatcher stops.
  virtual void run_lane(mailbox::shard& held) = 0;
  // Ends the actor that the first message of the lane is for, if it lives in this shard, before it handles anything.
  virtual void end_receiver(mailbox::shard& held) noexcept = 0;
  // Messages are handled so fast, and so few wait in this lane, that others may wait behind them: the worker may hold
  // more shards at a time, with this lane for all of them.
  [[nodiscard]] virtual bool may_join(const mailbox::shard& held) const noexcept = 0;
  // As may_join for those that it holds already.
  [[nodiscard]] virtual bool may_stay_joined(const mailbox::shard& held) noexcept = 0;
  // Moves what is for joined shards from the lane of the one that is run to their own: dispatch/dealing.hpp, as the
  // next.
  virtual void part(mailbox::shard& held) = 0;
  // Moves what waits in an office on to where it belongs: into this lane, if there is one, or into an outbox.
  virtual void deal_out(mailbox::office& from, mailbox::shard* into) = 0;
  // The shard of the oldest message in a queue; none if that may be run anywhere. REQUIRES: there is one.
  [[nodiscard]] virtual std::optional<std::uint32_t> first_in(mailbox::copy_queue& from) = 0;
  // Makes everything counted so far visible. `exact`: the worker is about to sleep, and somebody may wait for that.
  virtual void publish_counters(bool exact) noexcept = 0;
  // Nothing is in flight and nothing runs, as far as the counters say that have been published.
  [[nodiscard]] virtual bool sees_quiet() const noexcept = 0;
  // The thread begins, or a thread that drives the worker; called on it before anything else.
  virtual void on_start() noexcept = 0;
  // The thread drives the worker no more.
  virtual void on_leave() noexcept = 0;
  // Messages, ever: committed, failed or buried.
  [[nodiscard]] virtual std::uint64_t count_handled() const noexcept = 0;
  // The worker has been idle for a while: memory goes back.
  virtual void trim() noexcept = 0;
};

}  // namespace tact::dispatch
