// Whether a thread runs several shards from one lane, and how a lane is divided among shards again.
// docs/protocols/joint_hold.md.
#pragma once

#include <cstdint>
#include <optional>

#include "dispatch/holding/lane_measures.hpp"
#include "dispatch/holding/thread_context.hpp"
#include "dispatch/policy/sharing_policy.hpp"
#include "mailbox/copy_queue.hpp"
#include "mailbox/office.hpp"
#include "mailbox/shard.hpp"

namespace tact::dispatch {

// What a thread does with the lane that it runs, as the sharing policy says: holds more shards with it, divides it, and
// deals out what comes. Whether it does so decides about speed only. Invariant: a message for an exclusive actor moves
// only to the lane or the outbox of that actor's shard, so messages for one such actor stay in order; messages for
// parallel actors may go to any worker. Thread safety: the thread of the context only.
class lane_sharing {
 public:
  lane_sharing(thread_context& at, const lane_measures& known) noexcept;

  // True: messages are handled so fast, and so few wait in this lane, that messages for other shards may wait behind
  // them. Then the thread may hold more shards at a time, with this lane for all of them.
  [[nodiscard]] bool may_join(const mailbox::shard& held) const noexcept;
  // True: all that waits in this lane can be run before another worker, if it is woken now, runs its first message.
  [[nodiscard]] bool is_short(const mailbox::copy_queue& lane) const noexcept;
  // True: as far as is known, the messages that this thread runs take so little that the thread soon looks up again.
  [[nodiscard]] bool is_quick() const noexcept { return known_.meter.is_quick(); }
  // True: the messages that this thread runs take longer than it takes to move them and their actors to another one.
  [[nodiscard]] bool is_worth_moving() const noexcept { return known_.meter.is_worth_moving(); }
  // True: the messages that this thread runs take so long that it matters little where they are run.
  [[nodiscard]] bool is_slow() const noexcept { return known_.meter.is_slow(); }
  // How many messages this thread has run.
  [[nodiscard]] std::uint64_t handled() const noexcept { return known_.handled; }
  // The clock was read in the last hold; when it was read last.
  [[nodiscard]] bool was_measured() const noexcept { return known_.meter.measured_ns() != 0; }
  [[nodiscard]] cost_meter::time_point measured_at() const noexcept { return known_.meter.measured_at(); }
  // For how long handlers have kept this thread by themselves: see cost_meter.
  [[nodiscard]] std::uint64_t kept_ns() const noexcept { return known_.meter.kept_ns(); }
  // May a thread that holds several shards already go on to hold them together?
  [[nodiscard]] bool may_stay_joined(const mailbox::shard& held) noexcept;
  // Moves messages for joined shards from the lane that is run to the lanes of those shards.
  void separate(mailbox::shard& held) noexcept;
  // Moves each message that waits in an office to where it belongs, into a lane or an outbox.
  void deal_out(mailbox::office& from, mailbox::shard* into) noexcept;
  // The shard to which the oldest message of a queue must come; none if that may run anywhere. REQUIRES: the queue is
  // not empty.
  [[nodiscard]] std::optional<std::uint32_t> first_in(mailbox::copy_queue& from) const noexcept;

 private:
  [[nodiscard]] situation now() const noexcept;
  [[nodiscard]] std::uint64_t for_others(const mailbox::copy_queue& queue) const noexcept;

  thread_context& at_;
  const lane_measures known_;
  sharing_policy policy_;
  unsigned running_ = 0;  // workers that ran when a lane was divided last
};

}  // namespace tact::dispatch
