// Whether a worker runs several shards from one lane, and how a lane is divided again or shared with sleeping workers.
// docs/protocols/joint_hold.md.
#pragma once

#include <cstdint>
#include <optional>

#include "actors/run_state.hpp"
#include "mailbox/office.hpp"
#include "mailbox/shard.hpp"

namespace tact::detail {

// A thread holds several shards together, and runs them from one lane, while no other thread would gain from taking one
// of them: there are no other threads, or no lane is long and no handler is slow. Else it holds its shards one by one,
// so that other threads may take some of them. This decides about speed only. Invariant: a message for an exclusive
// actor moves only to the lane or the outbox of that actor's shard, so messages for one such actor stay in order;
// messages for parallel actors may go to any worker. Thread safety: the thread of the run only.
class lane_sharing {
 public:
  explicit lane_sharing(run_state& r);

  [[nodiscard]] bool may_join(const mailbox::shard& held) const noexcept;
  [[nodiscard]] bool may_stay_joined(const mailbox::shard& held) noexcept;
  // Moves messages for joined shards from the lane that is run to the lanes of those shards.
  void separate(mailbox::shard& held) noexcept;
  // Moves each message that waits in an office to where it belongs, into a lane or an outbox.
  void deal_out(mailbox::office& from, mailbox::shard* into) noexcept;
  // The shard to which the oldest message of a queue must come; none if that may run anywhere.
  [[nodiscard]] std::optional<std::uint32_t> first_in(mailbox::copy_queue& from) const;
  // Gives messages at the front of the lane that may run anywhere to the workers that sleep.
  void share_with_sleepers();

 private:
  [[nodiscard]] std::uint64_t for_others(const mailbox::copy_queue& queue) const noexcept;

  run_state& run_;
  const bool joins_;
  // How many times in a row this thread has seen a worker asleep that could do a part of the work.
  unsigned looks_at_idle_ = 0;
  // Shards are not held together again before the tally's count of commits has come to this.
  std::uint64_t apart_until_ = 0;
};

}  // namespace tact::detail
