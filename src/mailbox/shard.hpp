// A shard of the communal mailbox: the unit of order, of exclusion and (later) of stealing.
#pragma once

#include <cstdint>

#include "mailbox/copy_queue.hpp"
#include "mailbox/inbox.hpp"
#include "mailbox/shard_word.hpp"
#include "sync/policy.hpp"

namespace tact::mailbox {

// Messages for the actors that live here, in order of arrival, wherever they were sent from; and, while a worker holds
// the shard, the messages for parallel actors that it sent to itself.
struct alignas(128) shard {
  // Shared: senders and the holder.
  shard_word<sync::real, chunk> word;
  // Shared: senders outside and the holder. Away from the word, which idle workers look at all the time.
  alignas(128) inbox outside;
  // Private to the holder. What a gulp took comes behind what was there; what the holder sends to this shard comes
  // behind both. So everything in the lane is older than anything in the word, for each sender.
  alignas(128) copy_queue lane;
  std::uint32_t ns_per_message = inbox::slow_ns;  // as measured when it was last run
  // Constant after construction.
  std::uint32_t number = 0;
  std::uint32_t owner = 0;  // the worker that looks here

  // Adds what a gulp took to the lane; returns the number of messages. REQUIRES: the caller is the holder.
  std::uint64_t accept(const gulped<chunk>& taken, chunk_store& store) noexcept;
};

}  // namespace tact::mailbox
