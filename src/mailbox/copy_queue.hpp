// A private queue of envelopes in chunks, in order of arrival: the lane of a shard, an outbox, an inbox.
#pragma once

#include <new>

#include "mailbox/chunk.hpp"
#include "mailbox/depot.hpp"

namespace tact::mailbox {

// Written at the tail, read at the head; both may be in one chunk. Chunks come from and go to the chunk store of
// whoever holds the queue at that moment. Thread safety: none; private to its holder. Source of the idea: the copy
// queues of C∀, here in chunks instead of one doubling array.
class copy_queue {
 public:
  // A place in the queue, to which it can be cut back.
  struct mark {
    chunk* tail = nullptr;
    std::uint32_t used_slots = 0;
  };

  copy_queue() = default;
  copy_queue(const copy_queue&) = delete;
  copy_queue& operator=(const copy_queue&) = delete;
  // Frees the chunks. REQUIRES: no envelope is left in them.
  ~copy_queue();

  [[nodiscard]] bool empty() const noexcept {
    return head_ == nullptr || (read_slot_ == head_->used_slots && head_->next == nullptr);
  }

  // Room for an envelope at the tail.
  template <class Store>
  [[nodiscard]] void* reserve(unsigned slots, Store& store) {
    if (tail_ == nullptr || !tail_->has_room(slots)) [[unlikely]]
      add_chunk(store);
    envelope* place = tail_->at(tail_->used_slots);
    tail_->used_slots += slots;
    ++tail_->messages;
    return place;
  }

  // The oldest envelope. REQUIRES: not empty.
  [[nodiscard]] envelope& front() noexcept { return *head_->at(read_slot_); }
  // Steps over the oldest envelope, whose payload has ended or moved away.
  void pop(unsigned slots, chunk_store& store) noexcept {
    read_slot_ += slots;
    if (read_slot_ == head_->used_slots) [[unlikely]]
      end_of_chunk(store);
  }

  // Appends chunks linked oldest first.
  void append(chunk* oldest, chunk_store& store) noexcept;
  // Gives up the chunk that an empty queue keeps. REQUIRES: empty.
  void recycle(chunk_store& store) noexcept;
  // Gives a queue without chunks a clear one, which may be null.
  void equip(chunk* clear) noexcept {
    head_ = clear;
    tail_ = clear;
  }
  // Takes all chunks out, linked oldest first; REQUIRES: nothing was popped from them.
  struct chain {
    chunk* oldest = nullptr;
    chunk* newest = nullptr;
  };
  [[nodiscard]] chain take() noexcept;
  // Puts such chunks into a queue that has none.
  void begin_with(const chain& chunks) noexcept {
    head_ = chunks.oldest;
    tail_ = chunks.newest;
  }

  [[nodiscard]] mark here() const noexcept { return tail_ == nullptr ? mark{} : mark{tail_, tail_->used_slots}; }
  // The same. REQUIRES: the queue has a chunk.
  [[nodiscard]] mark here_in_chunk() const noexcept { return {tail_, tail_->used_slots}; }
  // Ends every envelope written since `to`; returns how many. REQUIRES: nothing was popped or appended since.
  std::uint64_t cut(const mark& to, chunk_store& store) noexcept;
  // Calls f(envelope&) for every envelope written since `from`.
  template <class F>
  void for_each_since(const mark& from, F f);

  // Messages between the reader and the end of the chunk that is being read; a walk over at most one chunk.
  [[nodiscard]] unsigned messages_in_head() noexcept;
  // All of them; a walk over the chunks.
  [[nodiscard]] std::uint64_t count_messages() noexcept;
  [[nodiscard]] bool has_chunks() const noexcept { return head_ != nullptr; }
  [[nodiscard]] bool has_more_chunks() const noexcept { return head_ != nullptr && head_->next != nullptr; }

 private:
  template <class Store>
  void add_chunk(Store& store) {
    chunk* added = store.take();
    (tail_ == nullptr ? head_ : tail_->next) = added;
    tail_ = added;
  }
  void end_of_chunk(chunk_store& store) noexcept;

  chunk* head_ = nullptr;
  chunk* tail_ = nullptr;
  std::uint32_t read_slot_ = 0;  // in head_
};

template <class F>
void copy_queue::for_each_since(const mark& from, F f) {
  chunk* in = from.tail != nullptr ? from.tail : head_;
  unsigned slot = from.used_slots;
  for (; in != nullptr; in = in->next, slot = 0) {
    while (slot < in->used_slots) {
      envelope& e = *in->at(slot);
      slot += e.slots();
      f(e);
    }
  }
}

}  // namespace tact::mailbox
