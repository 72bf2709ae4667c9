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
    if (c == messages.newest) c->find_only_target();  // the queue has looked at those before
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

// Publishes what is in an outbox. To an office it adds this to what it has published there last, or leaves the chunk
// open for what it will publish there next, if it may.
template <class Exchange>
published publish_one(Exchange& between, std::uint32_t number, mailbox::outbox_set& outboxes,
                      mailbox::outbox_set::outbox& box, mailbox::chunk_store& chunks) noexcept {
  if (!outboxes.leaves_open() || !between.mail().is_office(number))
    return between.mail().publish(number, box.queue.take());
  auto& to = between.mail().office_of_outbox(number);
  const std::uint32_t messages = box.queue.messages_in_tail();
  if (outboxes.add_to_last(to, box, chunks)) return {.messages = messages};
  box.last = {};  // nothing may be added in front of what is pushed now
  const bool is_one = !box.queue.has_more_chunks();
  const auto all = box.queue.take();
  if (is_one) outboxes.leave_open(to, box, *all.oldest);
  return between.mail().publish(number, all);
}

// Empties all outboxes. Calls tell(number of the outbox) for each whose word was 0, so that the shard or office is
// announced.
template <class Exchange, class Tell>
void publish_all(Exchange& between, mailbox::outbox_set& outboxes, mailbox::chunk_store& chunks, Tell tell) {
  outboxes.flush(chunks, [&](std::uint32_t number, mailbox::outbox_set::outbox& box) {
    const published sent = publish_one(between, number, outboxes, box, chunks);
    outboxes.count_published(number, sent.messages, sent.chunks);
    if (sent.is_first) tell(number);
  });
}

}  // namespace tact::dispatch
