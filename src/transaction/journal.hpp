// What one handler run staged: sends, creations, a become or an end. Commit keeps it, abort leaves no trace.
#pragma once

#include <cstdint>
#include <vector>

#include "mailbox/copy_queue.hpp"
#include "mailbox/outbox_set.hpp"
#include "tact/detail/core.hpp"

namespace tact::transaction {

// Sends are written in place, where they will be published from; a mark per queue says how far they were committed. So
// a commit moves nothing, and an abort cuts the queues back to their marks. Thread safety: owner only. No threads, no
// dispatcher: a plain data structure.
class journal {
 public:
  struct creation {
    detail::port address;
    detail::closure* behavior;  // null: an address only
  };
  enum class ending : unsigned char { none, stop };

  journal(mailbox::outbox_set& outboxes, mailbox::chunk_store& chunks) noexcept
      : outboxes_(&outboxes), chunks_(&chunks) {}

  // From here on the sends of the shard's lane go to `lane`.
  void enter(mailbox::copy_queue& lane) noexcept { lane_ = &lane; }
  // A run begins. REQUIRES: the last one was committed or aborted; the lane holds the message that is run.
  void begin() noexcept {
    lane_mark_ = lane_->here_in_chunk();
    sent_mark_ = sent_;
    ++run_;
  }

  // Room for a message: to this worker itself, to another shard, to an actor of another engine.
  [[nodiscard]] void* to_lane(unsigned slots) {
    void* place = lane_->reserve(slots, *chunks_);
    ++sent_;
    return place;
  }
  [[nodiscard]] void* to_outbox(std::uint32_t shard, unsigned slots);
  [[nodiscard]] void* to_abroad(unsigned slots) {
    only_sends_ = false;
    return abroad_.reserve(slots, *chunks_);
  }

  // The last become wins, and an end wins over a become staged before it, and the other way round.
  // Returns the closure that `next` replaces, null if none.
  [[nodiscard]] detail::closure* become(detail::closure* next) noexcept;
  void stop(allocation how) noexcept {
    only_sends_ = false;
    ending_ = ending::stop;
    how_ = how;
  }
  void create(const creation& c) {
    only_sends_ = false;
    creations_.push_back(c);
  }
  // Gives an address that was created in this run its behavior. False: there is no such address.
  [[nodiscard]] bool install(detail::port address, detail::closure& behavior) noexcept;

  [[nodiscard]] bool changes_actor() const noexcept { return next_ != nullptr || ending_ != ending::none; }
  [[nodiscard]] bool stops() const noexcept { return ending_ == ending::stop; }
  [[nodiscard]] allocation how() const noexcept { return how_; }
  [[nodiscard]] detail::closure* next() const noexcept { return next_; }
  [[nodiscard]] const std::vector<creation>& creations() const noexcept { return creations_; }
  // Nothing but sends to shards of this engine: a commit has nothing to do.
  [[nodiscard]] bool only_sends() const noexcept { return only_sends_; }

  // Forgets the become, the end and the creations, which the caller has carried out.
  void settle() noexcept {
    next_ = nullptr;
    ending_ = ending::none;
    creations_.clear();
    only_sends_ = true;
  }
  // Cuts every queue back to its mark. The caller ends next() and creations() first, then calls settle.
  void cut() noexcept;

  // Calls f(envelope&) for every message staged since begin.
  template <class F>
  void for_each_staged(F f);
  // The messages to other engines, for the caller to empty after a commit.
  [[nodiscard]] mailbox::copy_queue& abroad() noexcept { return abroad_; }
  // Messages staged and not aborted, ever; those to other engines are counted there.
  [[nodiscard]] std::uint64_t sent() const noexcept { return sent_; }
  // Number of the run that goes on, or of the last one.
  [[nodiscard]] std::uint64_t run() const noexcept { return run_; }
  [[nodiscard]] std::uint64_t sent_in_run() const noexcept { return sent_ - sent_mark_; }

 private:
  struct touched {
    std::uint32_t shard;
    mailbox::copy_queue::mark mark;
  };

  mailbox::outbox_set* outboxes_;
  mailbox::chunk_store* chunks_;
  mailbox::copy_queue* lane_ = nullptr;
  mailbox::copy_queue::mark lane_mark_;
  std::uint64_t sent_ = 0;
  std::uint64_t sent_mark_ = 0;
  std::uint64_t run_ = 1;          // number of the run, to see whether an outbox was marked in it
  std::uint64_t touched_run_ = 0;  // the run that touched_ belongs to
  std::vector<touched> touched_;   // outboxes written in this run
  mailbox::copy_queue abroad_;     // empty at begin
  std::vector<creation> creations_;
  bool only_sends_ = true;
  detail::closure* next_ = nullptr;
  ending ending_ = ending::none;
  allocation how_ = allocation::delete_;
};

template <class F>
void journal::for_each_staged(F f) {
  lane_->for_each_since(lane_mark_, f);
  abroad_.for_each_since({}, f);
  if (touched_run_ != run_) return;
  for (const touched& t : touched_) outboxes_->open(t.shard).queue.for_each_since(t.mark, f);
}

}  // namespace tact::transaction
