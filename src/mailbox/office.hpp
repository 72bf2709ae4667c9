// Where the messages from workers for a group of shards come together, before they are dealt out to these shards.
#pragma once

#include <cstdint>
#include <vector>

#include "mailbox/copy_queue.hpp"
#include "mailbox/open_chunk.hpp"
#include "mailbox/shard_word.hpp"
#include "sync/policy.hpp"

namespace tact::mailbox {

// What a worker sends to an ordinary shard that it does not hold goes to the office of that shard. So the worker fills
// one outbox for each office, and not one for each shard. Invariants: an office has at most one holder, which deals
// out; the holder lets go only after it has published what it dealt out. Protocol page: docs/protocols/office.md.
template <class Sync>
struct alignas(128) basic_office {
  // Shared by the senders and the holder, which deals out what is there.
  shard_word<Sync, chunk> word;
  // Constant after construction, and away from the word, which senders and holders write all the time.
  alignas(128) std::uint32_t index = 0;
  std::uint32_t number = 0;  // of its outbox in each worker's set, where offices follow the shards
  std::uint32_t shards = 0;  // how many shards belong to it
  // For each worker the chunk to which that worker may still add. Each place is on a line of its own.
  struct alignas(64) place : open_chunk<Sync> {};
  std::vector<place> open;
  // Private to the holder: what it has taken from the word and has not dealt out yet.
  alignas(128) copy_queue waiting;
  std::uint32_t turn = 0;  // which of its shards is next to get a message that any worker may run

  // Adds what a gulp took; returns the number of messages. REQUIRES: the caller is the holder.
  std::uint64_t accept(const gulped<chunk>& from, chunk_store& store) noexcept {
    chunk* const oldest = close_all(from.oldest, store);
    const std::uint64_t count = messages_in(oldest);
    waiting.append(oldest, store);
    return count;
  }

 private:
  // From here on no sender adds to any of these chunks.
  [[nodiscard]] chunk* close_all(chunk* oldest, chunk_store& store) noexcept {
    for (chunk** link = &oldest; *link != nullptr; link = &(*link)->next) {
      chunk& c = **link;
      if (c.opened_by == chunk::nobody) continue;
      chunk* const next = c.next;  // if the sender gets the chunk back, nothing in it is the holder's
      *link = &open[c.opened_by].close(c, store);
      (*link)->next = next;
    }
    return oldest;
  }
};

struct office final : basic_office<sync::real> {};

}  // namespace tact::mailbox
