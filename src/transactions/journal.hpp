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

// Messages are written in place, in the queues from which they will be published, and a note says where each was
// written. So a commit moves nothing: it forgets the notes; and an abort cuts the queues back to their oldest notes.
// There is room for a fixed number of notes: when it is used up, only the oldest one of each queue is kept.
// Thread safety: owner only. A journal knows no threads and no dispatcher: it is a plain data structure.
class journal {
 public:
  struct creation {
    detail::port address;
    detail::closure* behavior;  // null: only the address is created
  };

  // `queues`: how many queues a run may write to, its lane and its effects beside. Throws std::bad_alloc.
  journal(detail::run& window, mailbox::outbox_set& outboxes, mailbox::chunk_store& chunks, std::size_t queues);

  // From here on what the worker sends to itself goes to `lane`, the lane of the shard that it holds.
  void enter(mailbox::copy_queue& lane) noexcept {
    lane_ = &lane;
    window_->lane = &lane;
  }
  // A run begins. REQUIRES: plain(); the lane holds the message that is run.
  static void begin(detail::run& window) noexcept { window.first_note = window.next_note; }

  // Room for a message to this worker itself, to another shard or its office, and for one that is sent only at the
  // commit (aside): to an actor of another engine, or to one whose mailbox has a limit.
  [[nodiscard]] void* to_lane(unsigned slots) { return write_to(*lane_, slots); }
  [[nodiscard]] void* to_outbox(std::uint32_t number, unsigned slots) {
    return write_to(outboxes_->open(number).queue, slots);
  }
  [[nodiscard]] void* to_aside(unsigned slots) {
    note(aside_sends);
    return aside_.reserve(slots, *chunks_);
  }
  // Room for a message to the actor that runs, before all that waits for it.
  [[nodiscard]] void* to_front(unsigned slots) {
    void* const place = front_.reserve(slots, *chunks_);
    note(other);
    ++window_->sent_before;
    return place;
  }
  // Room for the message to an effect, which runs behind the message that is run.
  [[nodiscard]] void* to_effects(unsigned slots) {
    note(other);
    return write_to(effects_, slots);
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
  // True: the run has sent to its own lane.
  [[nodiscard]] bool wrote_to_lane() const noexcept;
  // True: there is an end that replaced a become, a message that lies aside, or what note_other stands for.
  [[nodiscard]] bool has_rare() const noexcept { return (staged_ & (stop_over_become | aside_sends | other)) != 0; }
  // True: nothing was staged but a become, beside sends.
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
  // True: nothing was staged but sends within the engine, so a commit has nothing to do.
  [[nodiscard]] bool plain() const noexcept { return staged_ == 0; }

  // Ends the run; what it sent stays. Forgets the become, the end and the creations, which the caller has carried out.
  void conclude() noexcept {
    begin(*window_);
    staged_ = 0;
    next_ = nullptr;
    created_end_ = room_.data();
  }
  // Cuts every queue back to where it ended when the run began; what is sent after this stays. The caller then ends
  // next() and creations(), and concludes.
  void cut() noexcept;

  // Calls f(envelope&) for every message staged since begin.
  template <class F>
  void for_each_staged(F f);
  // The messages that lie aside. The caller empties this after a commit; they are counted where they are put then.
  [[nodiscard]] mailbox::copy_queue& aside() noexcept { return aside_; }
  // The messages that go in front of the lane, oldest first. The caller takes them out after a commit.
  [[nodiscard]] mailbox::copy_queue& front() noexcept { return front_; }
  // The messages to effects, oldest first. Those of a run that has committed are read before the next message begins.
  [[nodiscard]] mailbox::copy_queue& effects() noexcept { return effects_; }

 private:
  // What was staged beside sends within the engine; a set of bits.
  enum staged : unsigned {
    changes = 1,  // a become or an end
    stop_alone = 2,
    stop_over_become = 4,
    creates_actors = 8,
    aside_sends = 16,
    other = 32,
  };
  void note(unsigned what) noexcept { staged_ |= what; }
  [[nodiscard]] void* write_to(mailbox::copy_queue& queue, unsigned slots) {
    void* const place = queue.reserve(slots, *chunks_);
    if (window_->next_note == window_->notes_end) [[unlikely]]
      keep_oldest_notes();
    *window_->next_note++ = {&queue, static_cast<std::byte*>(place)};
    return place;
  }
  // Makes room for notes: forgets those of earlier runs, and of this one all but the oldest of each queue.
  void keep_oldest_notes() noexcept;
  // The notes of this run, oldest first.
  [[nodiscard]] std::span<const detail::queue_note> notes() const noexcept {
    return {window_->first_note, window_->next_note};
  }
  static mailbox::copy_queue& queue_of(const detail::queue_note& n) noexcept {
    return static_cast<mailbox::copy_queue&>(*n.queue);
  }

  detail::run* window_;
  mailbox::outbox_set* outboxes_;
  mailbox::chunk_store* chunks_;
  mailbox::copy_queue* lane_ = nullptr;
  unsigned staged_ = 0;
  std::vector<detail::queue_note> room_for_notes_;
  mailbox::copy_queue aside_;            // empty at begin
  mailbox::copy_queue front_;            // empty at begin
  mailbox::copy_queue effects_;          // to one-shots that run behind this message
  base::counted_vector<creation> room_;  // for creations; those that were made end at created_end_
  creation* created_end_ = nullptr;
  creation* room_end_ = nullptr;
  detail::closure* next_ = nullptr;
  detail::ending how_;
};

template <class F>
void journal::for_each_staged(F f) {
  aside_.for_each(f);
  front_.for_each(f);
  keep_oldest_notes();
  for (const auto& n : notes()) queue_of(n).for_each_since(n.at, f);
}

}  // namespace tact::transactions
