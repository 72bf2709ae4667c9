// A private queue of envelopes in chunks, in order of arrival: the lane of a shard, an outbox, an inbox.
#pragma once

#include <cstddef>
#include <utility>

#include "mailbox/chunk.hpp"
#include "mailbox/chunk_memory.hpp"
#include "mailbox/depot.hpp"

namespace tact::mailbox {

// A queue is written at its tail and read at its head; both may be in one chunk. Chunks come from and go to the chunk
// store of the holder of the queue at that moment. Thread safety: none; private to its holder. Source of the idea: the
// copy queues of C∀, here in chunks instead of one doubling array.
class copy_queue : public detail::queue_tail {
 public:
  copy_queue() = default;
  copy_queue(const copy_queue&) = delete;
  copy_queue& operator=(const copy_queue&) = delete;
  // Frees the chunks. REQUIRES: no envelope is left in them.
  ~copy_queue();

  [[nodiscard]] bool empty() const noexcept { return read_ == *head_end_; }

  // Room for an envelope at the tail.
  template <class Store>
  [[nodiscard]] void* reserve(unsigned slots, Store& store) {
    if (!has_room(slots)) [[unlikely]]
      add_chunk(store);
    extra += slots - 1;
    return std::exchange(write, write + bytes_of(slots));
  }
  // False: an envelope of so many slots begins a new chunk.
  [[nodiscard]] bool has_room(unsigned slots) const noexcept { return end - write >= bytes_of(slots); }
  // The messages in the last chunk, those included that were read. REQUIRES: has_chunks.
  [[nodiscard]] std::uint32_t messages_in_tail() const noexcept { return tail_->extra_slots(write, extra); }

  // What is in the queue will be published. From now on the queue looks for the only target of a chunk when that is
  // full and still in the cache, because a run may fill many chunks before they are published.
  void will_be_published() noexcept { is_published_ = true; }

  // The oldest envelope. REQUIRES: not empty.
  [[nodiscard]] envelope& front() noexcept { return *reinterpret_cast<envelope*>(read_); }
  // Steps over the oldest envelope, whose payload has ended or moved away. False: the queue is empty now.
  bool pop(unsigned slots, chunk_store& store) noexcept {
    read_ += bytes_of(slots);
    return read_ != *head_end_ || advance(store);
  }
  // Steps over all envelopes before `e`. REQUIRES: e is in the chunk that is read, or its end.
  void skip_to(envelope* e) noexcept { read_ = reinterpret_cast<std::byte*>(e); }
  // Pins the chunk that is read: what lies in it stays there, even after it was read, until the pins are gone.
  [[nodiscard]] chunk& pin_front() noexcept {
    head_->pins.pin();
    return *head_;
  }
  // Puts all that is in `older` in front. REQUIRES: there is something in `older`, and nothing was popped from it.
  void put_back(copy_queue& older, chunk_store& store);
  // If the end of the chunk that is read was reached, goes on to the next chunk. False: the queue is empty now.
  [[nodiscard]] bool more(chunk_store& store) noexcept { return read_ != *head_end_ || advance(store); }
  // The actor for which all messages in the chunk that is read are, if that is known, and if none of them was popped
  // and none was written behind them; else chunk::several. REQUIRES: not empty.
  [[nodiscard]] detail::port only_target_of_head() const noexcept {
    return read_ == head_->slots && *head_end_ == head_->filled ? head_->only_target : chunk::several;
  }
  // Takes the chunk out that is read. REQUIRES: not empty; nothing was popped from that chunk.
  [[nodiscard]] chunk* take_head() noexcept;
  // The end of the envelopes in the chunk that is read. It may move while messages are written.
  [[nodiscard]] envelope* end_of_head() const noexcept { return reinterpret_cast<envelope*>(*head_end_); }

  // The first slots of the chunk behind the one that is read. REQUIRES: has_more_chunks.
  [[nodiscard]] const envelope* behind_chunk() const noexcept {
    return reinterpret_cast<const envelope*>(head_->next->slots);
  }

  // Appends chunks, linked oldest first; the messages of a chunk that has only few are copied instead.
  void append(chunk* oldest, chunk_store& store) noexcept;
  // Gives up the chunk that an empty queue keeps. REQUIRES: empty.
  void recycle(chunk_store& store) noexcept;
  // Gives a queue that has no chunk a cleared one, which may be null.
  void equip(chunk* clear) noexcept {
    if (clear != nullptr) begin_in(clear);
  }
  // Takes all chunks out, linked oldest first. REQUIRES: nothing was popped from them.
  struct chain {
    chunk* oldest = nullptr;
    chunk* newest = nullptr;
  };
  [[nodiscard]] chain take() noexcept;
  // Puts chunks that `take` returned into a queue that has none.
  void begin_with(const chain& chunks) noexcept {
    begin_in(chunks.oldest);
    for (const chunk* c = chunks.oldest; c != chunks.newest; c = c->next) before_tail_ += c->used();
    write_in(chunks.newest);
  }

  // Ends every envelope from `first` on, the place of one that was written since the queue was empty the last time, or
  // the end of all; returns how many. REQUIRES: nothing was popped or appended since it was written.
  std::uint64_t cut(std::byte* first, chunk_store& store) noexcept;
  // Ends all envelopes; returns how many. REQUIRES: none was popped.
  std::uint64_t cut_all(chunk_store& store) noexcept { return has_chunks() ? cut(head_->slots, store) : 0; }
  // Calls f(envelope&) for every envelope from `first` on, or for all.
  template <class F>
  void for_each_since(std::byte* first, F f);
  template <class F>
  void for_each(F f) {
    if (has_chunks()) for_each_since(head_->slots, f);
  }

  // Calls f(const envelope&) for the first envelope of each chunk behind the one that is read.
  template <class F>
  void sample(F f) const {
    for (const chunk* c = head_; c != tail_;) {
      c = c->next;
      if (c != tail_ || write != c->slots) f(*reinterpret_cast<const envelope*>(c->slots));
    }
  }

  // All messages; a walk over the whole queue.
  [[nodiscard]] std::uint64_t count_messages() noexcept;
  [[nodiscard]] bool has_chunks() const noexcept { return head_ != nullptr; }
  [[nodiscard]] bool has_more_chunks() const noexcept { return head_ != tail_; }
  // Slots between the reader and the tail: at least as many as messages.
  [[nodiscard]] std::size_t slots_waiting() const noexcept {
    if (tail_ == nullptr) return 0;
    return static_cast<std::size_t>(before_tail_ + (write - tail_->slots) - (read_ - head_->slots)) / slot_bytes;
  }

 private:
  static constexpr std::ptrdiff_t bytes_of(unsigned slots) noexcept {
    return static_cast<std::ptrdiff_t>(slots * slot_bytes);
  }
  template <class Store>
  void add_chunk(Store& store) {
    chunk& added = *store.take();
    if (is_published_ && tail_ != nullptr) {
      settle();
      tail_->find_only_target();
    }
    link(added);
  }
  // Links the chunk behind the others.
  void link(chunk& added) noexcept;
  void begin_in(chunk* only) noexcept {
    head_ = only;
    before_tail_ = 0;
    read_ = only->slots;
    write_in(only);
  }
  void write_in(chunk* c) noexcept {
    tail_ = c;
    write = c->filled;
    end = c->end();
    extra = c->extra_slots(write, c->messages);
    find_head_end();
  }
  // Writes down in the last chunk what the queue knows of it.
  void settle() noexcept {
    if (tail_->filled != write) tail_->only_target = chunk::several;
    tail_->filled = write;
    tail_->messages = static_cast<std::uint16_t>(messages_in_tail());
  }
  void find_head_end() noexcept { head_end_ = head_ == tail_ ? &write : &head_->filled; }
  void forget_chunks() noexcept {
    head_ = nullptr;
    tail_ = nullptr;
    before_tail_ = 0;
    read_ = nullptr;
    write = nullptr;
    end = nullptr;
    extra = 0;
    head_end_ = &write;
  }
  // Moves the reader, which has come to the end of its chunk, to the next chunk. False: there is none.
  bool advance(chunk_store& store) noexcept;

  bool is_published_ = false;
  chunk* head_ = nullptr;
  chunk* tail_ = nullptr;
  std::ptrdiff_t before_tail_ = 0;       // bytes in the chunks before the tail, those included that were read of head_
  std::byte* read_ = nullptr;            // in head_
  std::byte* const* head_end_ = &write;  // where the end of what is in head_ is kept
};

template <class F>
void copy_queue::for_each_since(std::byte* first, F f) {
  std::byte* at = first;
  for (chunk* in = &chunk_of(first); in != nullptr; in = in->next, at = nullptr) {
    if (at == nullptr) at = in->slots;
    const std::byte* const filled = in == tail_ ? write : in->filled;
    while (at != filled) {
      envelope& e = *reinterpret_cast<envelope*>(at);
      at += bytes_of(e.slots());
      f(e);
    }
  }
}

// True: there is more than one message. REQUIRES: the queue is not empty.
[[nodiscard]] inline bool has_several(copy_queue& q) noexcept {
  return q.has_more_chunks() || q.front().after() != q.end_of_head();
}
// Messages between the reader and the end of the chunk that is read. It walks over these messages.
[[nodiscard]] unsigned messages_in_head(copy_queue& q) noexcept;
// Moves all envelopes of one queue to the other, behind those that are there.
void move_all(copy_queue& from, copy_queue& to, chunk_store& store);

}  // namespace tact::mailbox
