#include "mailbox/copy_queue.hpp"

#include <utility>

#include "mailbox/chunk_memory.hpp"

namespace tact::mailbox {

copy_queue::~copy_queue() {
  while (head_ != nullptr) free_chunk(std::exchange(head_, head_->next));
}

void copy_queue::append(chunk* oldest, chunk_store& store) noexcept {
  if (oldest == nullptr) return;
  if (empty()) recycle(store);
  (tail_ == nullptr ? head_ : tail_->next) = oldest;
  while (oldest->next != nullptr) oldest = oldest->next;
  tail_ = oldest;
}

void copy_queue::recycle(chunk_store& store) noexcept {
  if (head_ == nullptr) return;
  store.give(head_);
  head_ = nullptr;
  tail_ = nullptr;
}

copy_queue::chain copy_queue::take() noexcept {
  read_slot_ = 0;
  return {std::exchange(head_, nullptr), std::exchange(tail_, nullptr)};
}

void copy_queue::end_of_chunk(chunk_store& store) noexcept {
  chunk* done = head_;
  read_slot_ = 0;
  if (done->next == nullptr) {
    // The only chunk: it stays, and is filled from its beginning again.
    done->clear();
    return;
  }
  head_ = done->next;
  store.give(done);
}

std::uint64_t copy_queue::cut(const mark& to, chunk_store& store) noexcept {
  std::uint32_t ended = 0;
  std::uint32_t ended_in_tail = 0;
  for_each_since(to, [&](envelope& e) {
    e.destroy(false);
    ++ended;
    if (to.tail != nullptr && e.lies_in(to.tail->slots, sizeof to.tail->slots)) ++ended_in_tail;
  });
  chunk* surplus = nullptr;
  if (to.tail == nullptr) {
    surplus = std::exchange(head_, nullptr);
    tail_ = nullptr;
  } else {
    surplus = std::exchange(to.tail->next, nullptr);
    tail_ = to.tail;
    tail_->used_slots = to.used_slots;
    tail_->messages -= ended_in_tail;
  }
  while (surplus != nullptr) store.give(std::exchange(surplus, surplus->next));
  return ended;
}

unsigned copy_queue::messages_in_head() noexcept {
  if (head_ == nullptr) return 0;
  unsigned count = 0;
  for (unsigned slot = read_slot_; slot < head_->used_slots; slot += head_->at(slot)->slots()) ++count;
  return count;
}

}  // namespace tact::mailbox
