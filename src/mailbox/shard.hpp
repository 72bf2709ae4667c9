// A shard of the communal mailbox: the unit of order, of exclusion and of stealing.
#pragma once

#include <cstdint>

#include "mailbox/copy_queue.hpp"
#include "mailbox/inbox.hpp"
#include "mailbox/recent_ns.hpp"
#include "mailbox/shard_word.hpp"
#include "sync/owned_counter.hpp"
#include "sync/policy.hpp"

namespace tact::mailbox {

// Holds the messages for the actors that live here, in order of arrival, wherever they were sent from. While a worker
// holds the shard, its lane has also the messages for parallel actors that the worker sends to itself.
template <class Sync>
struct alignas(128) basic_shard {
  using policy = Sync;

  // Shared by the senders and the holder.
  shard_word<Sync, chunk> word;
  // The worker that looks at this shard and is told of messages. Written when the shard is stolen or moved
  // (dispatch::shard_table, dispatch::shard_mover), read by senders that have just changed the word beside it. For a
  // blocking actor's shard, which no worker looks at, it is never read.
  typename Sync::template atomic<std::uint32_t> owner{0};
  std::uint32_t number = 0;  // constant after construction, as the next
  // The index of the office through which messages from workers come here. Only ordinary shards have one.
  std::uint32_t office = 0;
  // Shared by the senders outside and the holder. Away from the word, which idle workers look at all the time.
  alignas(128) inbox outside;
  // Private to the holder. What a gulp took comes behind what was there; what the holder sends to this shard comes
  // behind both. So everything in the lane is older than anything in the word, for each sender.
  alignas(128) copy_queue lane;
  std::uint32_t ns_per_message = inbox::slow_ns;  // as measured when it was last run
  recent_ns own_ns;           // for a message, measured while no other shard was held with this one; read by senders
  sync::owned_counter taken;  // messages that came into the lane from the word and the inbox; advanced by the holder
  // Messages that workers published to the word, and that their outboxes do not count any more because the numbers were
  // moved here; see communal_mailbox::take_counts.
  std::uint64_t counted = 0;
  const void* last_holder = nullptr;  // names a thread; private to the holder

  // Adds what a gulp took to the lane; returns the number of messages. REQUIRES: the caller is the holder.
  std::uint64_t accept(const gulped<chunk>& from, chunk_store& store) noexcept { return accept(from, store, lane); }
  // Adds what a gulp took to the lane of another shard, which the caller holds too. REQUIRES: the lane of this shard is
  // empty.
  std::uint64_t accept(const gulped<chunk>& from, chunk_store& store, copy_queue& into) noexcept {
    chunk* const posted = from.mail ? outside.take(store.take_spare(), ns_per_message) : nullptr;
    const std::uint64_t count = messages_in(from.oldest) + messages_in(posted);
    into.append(from.oldest, store);
    into.append(posted, store);
    taken.add(count);
    return count;
  }
};

// The shard of an engine; the explorer's tests have one of their own.
struct shard final : basic_shard<sync::real> {};

}  // namespace tact::mailbox
