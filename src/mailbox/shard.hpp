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

// Messages for the actors that live here, in order of arrival, wherever they were sent from; and, while a worker holds
// the shard, the messages for parallel actors that it sent to itself.
template <class Sync>
struct alignas(128) basic_shard {
  // Shared: senders and the holder.
  shard_word<Sync, chunk> word;
  // The worker that looks here and is told of messages. Written by thieves (dispatch::shard_table), read by senders
  // that have just changed the word beside it. Of a blocking actor's shard, which no worker looks at, never read.
  typename Sync::template atomic<std::uint32_t> owner{0};
  std::uint32_t number = 0;  // constant after construction, as the next
  // The index of the office through which what workers send comes here. Of ordinary shards only.
  std::uint32_t office = 0;
  // Shared: senders outside and the holder. Away from the word, which idle workers look at all the time.
  alignas(128) inbox outside;
  // Private to the holder. What a gulp took comes behind what was there; what the holder sends to this shard comes
  // behind both. So everything in the lane is older than anything in the word, for each sender.
  alignas(128) copy_queue lane;
  std::uint32_t ns_per_message = inbox::slow_ns;  // as measured when it was last run
  recent_ns own_ns;           // of a message, while no other shard was held with this one; read by senders
  sync::owned_counter taken;  // messages that came into the lane from the word and the inbox; advanced by the holder
  // Messages that workers published to the word, as far as they do not count them themselves any more; see
  // dispatcher::settle.
  std::uint64_t settled = 0;

  // Adds what a gulp took to the lane; returns the number of messages. REQUIRES: the caller is the holder.
  std::uint64_t accept(const gulped<chunk>& from, chunk_store& store) noexcept { return accept(from, store, lane); }
  // The same into the lane of another shard, which the caller holds too. REQUIRES: the lane of this one is empty.
  std::uint64_t accept(const gulped<chunk>& from, chunk_store& store, copy_queue& into) noexcept {
    chunk* const posted = from.mail ? outside.take(store.take_spare(), ns_per_message) : nullptr;
    const std::uint64_t count = messages_in(from.oldest) + messages_in(posted);
    into.append(from.oldest, store);
    into.append(posted, store);
    taken.add(count);
    return count;
  }
};

// Of an engine; that of the explorer is in its tests.
struct shard final : basic_shard<sync::real> {};

}  // namespace tact::mailbox
