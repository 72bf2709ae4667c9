// What one run of a handler has staged: sends, creations, a become or an end. A commit keeps it; an abort leaves no
// trace.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "base/counted_vector.hpp"
#include "mailbox/copy_queue.hpp"
#include "mailbox/outbox_set.hpp"
#include "tact/detail/core.hpp"

namespace tact::transactions {

// Messages are written in place, in the queues from which they will be published; a mark for each queue says up to
// where they are committed. So a commit moves nothing, and an abort cuts the queues back to their marks. Thread safety:
// owner only. A journal knows no threads and no dispatcher: it is a plain data structure.
class journal {
 public:
  struct creation {
    detail::port address;
    detail::closure* behavior;  // null: only the address is created
  };

  journal(detail::run& window, mailbox::outbox_set& outboxes, mailbox::chunk_store& chunks)
      : window_(&window), outboxes_(&outboxes), chunks_(&chunks) {
    written_.reserve(outboxes.size() + 1);
  }

  // From here on what the worker sends to itself goes to `lane`, the lane of the shard that it holds.
  void enter(mailbox::copy_queue& lane) noexcept {
    lane_ = &lane;
    window_->lane = &lane;
  }
  // A run begins. REQUIRES: plain(); the lane holds the message that is run.
  static void begin(detail::run& window) noexcept { window.mark = window.lane->write; }

  // Room for a message to this worker itself, to another shard or its office, and for one that is sent only at the
  // commit (abroad): to an actor of another engine, or to one whose mailbox has a limit.
  [[nodiscard]] void* to_lane(unsigned slots);
  [[nodiscard]] void* to_outbox(std::uint32_t number, unsigned slots) {
    return to_outbox(outboxes_->open(number), slots);
  }
  // The same for a message that is for this shard. REQUIRES: the box is open.
  [[nodiscard]] void* to_outbox(mailbox::outbox_set::outbox& box, std::uint32_t shard, unsigned slots) {
    void* const place = to_outbox(box, slots);
    box.queue.tail()->note_bound(shard);
    return place;
  }
  // REQUIRES: the box is open.
  [[nodiscard]] void* to_outbox(mailbox::outbox_set::outbox& box, unsigned slots) {
    if (box.run != run_) {
      box.run = run_;
      box.before = box.queue.here();
      written_.push_back(&box);
    }
    void* place = box.queue.reserve(slots, *chunks_);
    note(shard_sends);
    ++window_->sent;
    return place;
  }
  [[nodiscard]] void* to_abroad(unsigned slots) {
    note(abroad_sends);
    return abroad_.reserve(slots, *chunks_);
  }
  // Room for a message to the actor that runs, before all that waits for it.
  [[nodiscard]] void* to_front(unsigned slots) {
    void* const place = front_.reserve(slots, *chunks_);
    note(other);
    ++window_->sent;
    return place;
  }
  // Room for the message to an effect, which runs behind the message that is run.
  [[nodiscard]] void* to_effects(unsigned slots) {
    note(other);
    return to_outbox(effects_, slots);
  }
  // Notes that the caller keeps something of its own that it must look at when the run ends.
  void note_other() noexcept { note(other); }

  // The last one wins: a become over an earlier become or end, an end over an earlier become. Returns the closure that
  // `next` replaces, null if none.
  [[nodiscard]] detail::closure* become(detail::closure* next) noexcept {
    staged_ = (staged_ & ~(stop_alone | stop_over_become)) | changes;
    return std::exchange(next_, next);
  }
  void stop(detail::ending how) noexcept {
    note(changes);
    note(next_ == nullptr ? stop_alone : stop_over_become);
    how_ = how;
  }
  // Takes back the become or the end that was staged, if any. Returns the closure that was to be next, null if none.
  [[nodiscard]] detail::closure* withdraw_become() noexcept {
    staged_ &= ~(changes | stop_alone | stop_over_become);
    return std::exchange(next_, nullptr);
  }
  // True: the next creation needs make_room_for_creation before.
  [[nodiscard]] bool is_full() const noexcept { return created_end_ == room_end_; }
  void make_room_for_creation();
  // REQUIRES: not is_full().
  void create(const creation& c) noexcept {
    note(creates_actors);
    *created_end_++ = c;
  }
  // Gives its behavior to an address that was created in this run. False: there is no such address.
  [[nodiscard]] bool install(detail::port address, detail::closure& behavior) noexcept;

  [[nodiscard]] bool changes_actor() const noexcept { return (staged_ & changes) != 0; }
  [[nodiscard]] bool creates() const noexcept { return (staged_ & creates_actors) != 0; }
  // True: messages were sent to other shards, or the lane has grown by a chunk.
  [[nodiscard]] bool has_marks() const noexcept { return (staged_ & shard_sends) != 0; }
  // True: there is an end that replaced a become, a message that goes abroad, or what note_other stands for.
  [[nodiscard]] bool has_rare() const noexcept { return (staged_ & (stop_over_become | abroad_sends | other)) != 0; }
  // True: nothing was staged but a become, beside sends to the lane.
  [[nodiscard]] bool only_becomes() const noexcept { return staged_ == changes; }
  // Settles such a run, whose become the caller has carried out.
  void conclude_become() noexcept {
    staged_ = 0;
    next_ = nullptr;
  }
  [[nodiscard]] bool stops() const noexcept { return (staged_ & (stop_alone | stop_over_become)) != 0; }
  [[nodiscard]] detail::ending how() const noexcept { return how_; }
  [[nodiscard]] detail::closure* next() const noexcept { return next_; }
  [[nodiscard]] std::span<const creation> creations() const noexcept { return {room_.data(), created_end_}; }
  // True: nothing was staged but sends to the lane, so a commit has nothing to do.
  [[nodiscard]] bool plain() const noexcept { return staged_ == 0; }

  // Ends the run; what it sent stays. Forgets the become, the end and the creations, which the caller has carried out.
  void conclude() noexcept {
    if (has_marks()) forget_marks();
    staged_ = 0;
    next_ = nullptr;
    created_end_ = room_.data();
  }
  // Cuts every queue back to its mark; what is sent after this stays. The caller then ends next() and creations(), and
  // concludes.
  void cut() noexcept;

  // Calls f(envelope&) for every message staged since begin.
  template <class F>
  void for_each_staged(F f);
  // The messages that go abroad. The caller empties this after a commit; they are counted where they are put then.
  [[nodiscard]] mailbox::copy_queue& abroad() noexcept { return abroad_; }
  // The messages that go in front of the lane, oldest first. The caller takes them out after a commit.
  [[nodiscard]] mailbox::copy_queue& front() noexcept { return front_; }
  // The messages to effects, oldest first. Those of a run that has committed are read before the next message begins.
  [[nodiscard]] mailbox::copy_queue& effects() noexcept { return effects_.queue; }

 private:
  // What was staged beside sends to the lane; a set of bits.
  enum staged : unsigned {
    shard_sends = 1,  // marks of outboxes, or of a lane that has grown by a chunk, are to be forgotten
    changes = 2,      // a become or an end
    stop_alone = 4,
    stop_over_become = 8,
    creates_actors = 16,
    abroad_sends = 32,
    other = 64,
  };
  void note(unsigned what) noexcept { staged_ |= what; }
  void forget_marks() noexcept {
    written_.clear();
    ++run_;
    lane_tail_ = nullptr;
  }
  [[nodiscard]] mailbox::copy_queue::mark lane_mark() const noexcept {
    return {lane_tail_ != nullptr ? lane_tail_ : lane_->tail(), window_->mark};
  }

  detail::run* window_;
  mailbox::outbox_set* outboxes_;
  mailbox::chunk_store* chunks_;
  mailbox::copy_queue* lane_ = nullptr;
  mailbox::chunk* lane_tail_ = nullptr;  // the tail when the run began; null: it has not changed
  unsigned staged_ = 0;
  std::vector<mailbox::outbox_set::outbox*> written_;  // outboxes of this run; each notes where it ended before
  std::uint64_t run_ = 1;                              // the number of the run; no outbox has it from an earlier run
  mailbox::copy_queue abroad_;                         // empty at begin
  mailbox::copy_queue front_;                          // empty at begin
  mailbox::outbox_set::outbox effects_{};              // to one-shots that run behind this message
  base::counted_vector<creation> room_;                // for creations; those that were made end at created_end_
  creation* created_end_ = nullptr;
  creation* room_end_ = nullptr;
  detail::closure* next_ = nullptr;
  detail::ending how_;
};

template <class F>
void journal::for_each_staged(F f) {
  lane_->for_each_since(lane_mark(), f);
  abroad_.for_each_since({}, f);
  front_.for_each_since({}, f);
  for (auto* box : written_) box->queue.for_each_since(box->before, f);
}

}  // namespace tact::transactions
