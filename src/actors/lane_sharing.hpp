// Whether a worker runs several shards from one lane, and how a lane is divided again or shared with sleeping workers.
// docs/protocols/joint_hold.md.
#pragma once

#include <cstdint>
#include <optional>

#include "actors/cost_meter.hpp"
#include "actors/run_state.hpp"
#include "mailbox/office.hpp"
#include "mailbox/shard.hpp"

namespace tact::detail {

// Shards are apart so that other threads may take some of them. Shards are held together while no thread would gain
// from taking one: there are no other threads, or no lane is long and no handler is slow. This decides about speed
// only. Invariant: a message moves only to the lane or the outbox of the shard in which it must be run, so messages for
// one actor stay in order. Thread safety: the thread of the run only.
class lane_sharing {
 public:
  lane_sharing(run_state& r, actors::cost_meter& p);

  [[nodiscard]] bool may_join(const mailbox::shard& held) const noexcept;
  [[nodiscard]] bool may_stay_joined(const mailbox::shard& held) noexcept;
  // Moves messages for joined shards from the lane that is run to the lanes of those shards.
  void part(mailbox::shard& held) noexcept;
  // Moves each message that waits in an office to where it belongs, into a lane or an outbox.
  void deal_out(mailbox::office& from, mailbox::shard* into) noexcept;
  // The shard to which the oldest message of a queue must come; none if that may run anywhere.
  [[nodiscard]] std::optional<std::uint32_t> first_in(mailbox::copy_queue& from) const;
  // Gives messages at the front of the lane that may run anywhere to the workers that sleep.
  void share_with_sleepers();

 private:
  [[nodiscard]] std::uint64_t for_others(const mailbox::copy_queue& queue) const noexcept;

  run_state& run_;
  actors::cost_meter& meter_;
  const bool joins_;
  unsigned looks_at_idle_ = 0;     // look-ups in a row at which a worker slept that had better help
  std::uint64_t apart_until_ = 0;  // shards are not held together again before so many messages are committed
};

}  // namespace tact::detail
