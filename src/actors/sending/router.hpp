// Where a send goes: into the lane of this worker, into the outbox of another shard, or to another engine.
#pragma once

#include <cstdint>

#include "actors/common/names.hpp"
#include "actors/staging/run_state.hpp"
#include "mailbox/envelope.hpp"

namespace tact::actors {

// Most sends never come here: the sender's own code writes them into the lane (stage, in tact/detail/staged_send.hpp).
// The route of the target decides:
//   an exclusive actor of this engine   the lane if its shard is held here, or can be joined; else that shard's outbox
//   a parallel actor of this engine     the lane; while a worker sleeps, in turn the lane and the sleeping workers
//   an actor whose mailbox has a limit,
//   or of another engine                aside until the commit, which sends it
// Invariant: a message for an exclusive actor never overtakes one that lies in an open outbox of the same shard.
// Thread safety: the thread of the run only.
class router {
 public:
  explicit router(run_state& r) noexcept : run_(r), journal_(r.journal()) {}

  // Reserves an envelope, and returns the place for its payload. Throws usage_error when no handler runs here, and
  // std::bad_alloc.
  [[nodiscard]] void* stage(port to, const message_type& type);
  // As stage; but each message for a parallel actor goes to the next one of all shards in turn.
  [[nodiscard]] void* stage_round(port to, const message_type& type);
  // As stage, for what the core sends for itself: such a message is not counted by a mailbox with a limit, and need not
  // wait for the commit to be let in.
  [[nodiscard]] void* stage_for_core(port to, const message_type& type);
  // As stage, for a message to the actor that runs; an exclusive actor handles it before all that waits for it.
  [[nodiscard]] void* stage_in_front(port to, const message_type& type);
  // As stage, for the actor that runs an effect of this commit: see tact/detail/core.hpp.
  [[nodiscard]] void* stage_effect(port to, const message_type& type);
  // Returns the place for an envelope of so many slots, which the caller makes.
  [[nodiscard]] void* place_for(port to, unsigned slots);
  // As place_for, for a message that its mailbox has let in.
  [[nodiscard]] void* place_let_in(port to, unsigned slots);
  // Does the port belong to an actor of this engine whose mailbox has a limit?
  [[nodiscard]] bool is_limited_here(port to) const noexcept;

  // Sends a message that must be run elsewhere to the home shard of its actor.
  void forward(mailbox::envelope& e, const cell& c) noexcept;
  // Gives messages at the front of the lane that may run anywhere to the workers that sleep.
  void share_with_sleepers();
  // Should what any worker may run be where others see it, though none of them sleeps?
  [[nodiscard]] bool should_show_rest() const noexcept;
  // Publishes at once what was staged for a worker that sleeps.
  void flush_if_due() {
    if (flush_soon_) [[unlikely]]
      flush();
  }
  void flush();
  // What was staged is published.
  void note_flushed() noexcept { flush_soon_ = false; }

 private:
  using finder = void* (router::*)(port, unsigned);

  [[nodiscard]] void* stage_apart(port to, const message_type& type, finder find_place);
  // Records the send; returns the number of the message.
  [[nodiscard]] std::uint64_t note_sent(port to, const message_type& type) noexcept;
  [[nodiscard]] void* place_exclusive(std::uint32_t shard, unsigned slots);
  [[nodiscard]] void* place_parallel(mailbox::route r, unsigned slots);
  [[nodiscard]] void* place_spread(unsigned slots);
  [[nodiscard]] void* place_round(port to, unsigned slots);
  [[nodiscard]] void* place_in_front(port to, unsigned slots);
  [[nodiscard]] void* place_effect(port to, unsigned slots);
  [[nodiscard]] bool joins(std::uint32_t shard) noexcept;
  void put_last(mailbox::copy_queue& waiting) noexcept;  // the first message, if it may run anywhere

  run_state& run_;
  transactions::journal& journal_;
  std::uint32_t sent_round_ = 0;  // counts messages that went to the next shard, round over all of them
  bool flush_soon_ = false;       // a sleeping worker was given a message that is not published yet
};

}  // namespace tact::actors
