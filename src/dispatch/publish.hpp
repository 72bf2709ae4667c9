// How messages are published: from an outbox to the word of an office or a shard.
#pragma once

#include <cstdint>

#include "mailbox/copy_queue.hpp"
#include "mailbox/outbox_set.hpp"

namespace tact::dispatch {

// What one push has published.
struct published {
  std::uint64_t messages = 0;
  std::uint64_t chunks = 0;
  bool is_first = false;  // the word was 0: the caller announces the shard or office
};

template <class Word>
published push(Word& word, mailbox::copy_queue::chain messages) noexcept {
  published all;
  // The list in the word runs from the newest chunk to the oldest.
  mailbox::chunk* newest = nullptr;
  for (mailbox::chunk* c = messages.oldest; c != nullptr;) {
    all.messages += c->messages;
    ++all.chunks;
    mailbox::chunk* const next = c->next;
    c->next = newest;
    newest = c;
    c = next;
  }
  all.is_first = word.push(newest, messages.oldest);
  return all;
}

// Empties all outboxes. Calls tell(number of the outbox) for each whose word was 0, so that the shard or office is
// announced.
template <class Dispatcher, class Tell>
void publish_all(Dispatcher& owner, mailbox::outbox_set& outboxes, mailbox::chunk_store& chunks, Tell tell) {
  outboxes.flush(chunks, [&](std::uint32_t number, mailbox::outbox_set::outbox& box) {
    const published sent = owner.mail().publish(number, box.queue.take());
    outboxes.count_published(number, sent.messages, sent.chunks);
    if (sent.is_first) tell(number);
  });
}

}  // namespace tact::dispatch
