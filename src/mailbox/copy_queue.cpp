#include "mailbox/copy_queue.hpp"

#include <utility>

#include "mailbox/chunk_memory.hpp"

namespace tact::mailbox {
namespace {

constexpr std::ptrdiff_t few_bytes = sizeof(chunk::slots) / 4;

// Copies the messages of a chunk that has few: a queue of chunks with a message or two in each would take up many times
// the memory of its messages.
bool copy_if_few(chunk& from, copy_queue& to, chunk_store& store) noexcept {
  if (!to.has_chunks() || from.used() > few_bytes || to.end - to.write < from.used()) return false;
  for (std::byte* at = from.slots; at != from.filled;) {
    envelope& e = *reinterpret_cast<envelope*>(at);
    at = reinterpret_cast<std::byte*>(e.after());
    e.relocate(to.reserve(e.slots(), store));
  }
  store.give(&from);
  return true;
}

unsigned count_between(std::byte* from, const std::byte* to) noexcept {
  unsigned count = 0;
  for (; from != to; ++count) from = reinterpret_cast<std::byte*>(reinterpret_cast<envelope*>(from)->after());
  return count;
}

}  // namespace

copy_queue::~copy_queue() {
  while (head_ != nullptr) free_chunk(std::exchange(head_, head_->next));
}

void copy_queue::append(chunk* oldest, chunk_store& store) noexcept {
  if (oldest != nullptr && empty()) recycle(store);
  while (oldest != nullptr) {
    chunk& added = *std::exchange(oldest, oldest->next);
    if (!copy_if_few(added, *this, store)) link(added);
  }
}

void copy_queue::link(chunk& added) noexcept {
  added.next = nullptr;
  if (tail_ == nullptr) return begin_in(&added);
  settle();
  tail_->next = &added;
  before_tail_ += tail_->used();
  write_in(&added);
}

// First moves what is left of the chunk that is read to the end of `older`, because a chunk is read from its beginning.
void copy_queue::put_back(copy_queue& older, chunk_store& store) {
  if (has_chunks()) static_cast<void>(more(store));  // from here on empty() says whether there is any message at all
  for (const chunk* const first = head_; !empty() && head_ == first;) {
    const unsigned slots = front().slots();
    front().relocate(older.reserve(slots, store));
    pop(slots, store);
  }
  if (empty()) {
    recycle(store);
    return begin_with(older.take());
  }
  // Nothing of the first chunk has been read at this point. There may be many chunks behind it, which are not looked
  // at.
  older.settle();
  older.tail_->next = std::exchange(head_, older.head_);
  before_tail_ += older.before_tail_ + older.tail_->used();
  read_ = head_->slots;
  find_head_end();
  older.forget_chunks();
}

void copy_queue::recycle(chunk_store& store) noexcept {
  if (head_ == nullptr) return;
  if (head_->pins.leave()) store.give(head_);
  forget_chunks();
}

copy_queue::chain copy_queue::take() noexcept {
  const chain all{head_, tail_};
  if (tail_ != nullptr) settle();
  forget_chunks();
  return all;
}

chunk* copy_queue::take_head() noexcept {
  chunk* const taken = head_;
  if (head_ == tail_) return take().oldest;
  before_tail_ -= taken->used();
  head_ = std::exchange(taken->next, nullptr);
  read_ = head_->slots;
  find_head_end();
  return taken;
}

bool copy_queue::advance(chunk_store& store) noexcept {
  while (read_ == *head_end_) {
    if (head_ == tail_) {
      // All is read. The only chunk stays, to be filled from its beginning again.
      if (!head_->pins.leave()) {
        forget_chunks();
        return false;
      }
      head_->clear();
      begin_in(head_);
      return false;
    }
    before_tail_ -= head_->used();
    chunk* const left = std::exchange(head_, head_->next);  // once left, a handler that pinned it may give it away
    if (left->pins.leave()) store.give(left);
    read_ = head_->slots;
    find_head_end();
  }
  return true;
}

std::uint64_t copy_queue::cut(std::byte* first, chunk_store& store) noexcept {
  if (has_chunks()) settle();
  chunk& last = chunk_of(first);
  std::uint32_t ended = 0;
  std::uint32_t ended_in_last = 0;
  for_each_since(first, [&](envelope& e) {
    e.end_unhandled();
    ++ended;
    if (&chunk_of(reinterpret_cast<std::byte*>(&e)) == &last) ++ended_in_last;
  });
  for (const chunk* c = &last; c != tail_; c = c->next) before_tail_ -= c->used();
  chunk* surplus = std::exchange(last.next, nullptr);
  last.filled = first;
  last.messages = static_cast<std::uint16_t>(last.messages - ended_in_last);
  last.only_target = chunk::several;
  write_in(&last);
  while (surplus != nullptr) store.give(std::exchange(surplus, surplus->next));
  return ended;
}

std::uint64_t copy_queue::count_messages() noexcept {
  std::uint64_t count = messages_in_head(*this);
  if (head_ == tail_) return count;
  for (chunk* c = head_->next; c != nullptr; c = c->next)
    count += count_between(c->slots, c == tail_ ? write : c->filled);
  return count;
}

unsigned messages_in_head(copy_queue& q) noexcept {
  return q.empty()
             ? 0
             : count_between(reinterpret_cast<std::byte*>(&q.front()), reinterpret_cast<std::byte*>(q.end_of_head()));
}

void move_all(copy_queue& from, copy_queue& to, chunk_store& store) {
  while (!from.empty()) {
    const unsigned slots = from.front().slots();
    from.front().relocate(to.reserve(slots, store));
    from.pop(slots, store);
  }
  from.recycle(store);
}

}  // namespace tact::mailbox
