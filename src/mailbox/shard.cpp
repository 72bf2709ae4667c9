#include "mailbox/shard.hpp"

namespace tact::mailbox {

std::uint64_t shard::accept(const gulped<chunk>& from, chunk_store& store, copy_queue& into) noexcept {
  chunk* posted = from.mail ? outside.take(store.take_spare(), ns_per_message) : nullptr;
  const std::uint64_t count = messages_in(from.oldest) + messages_in(posted);
  into.append(from.oldest, store);
  into.append(posted, store);
  taken.add(count);
  return count;
}

}  // namespace tact::mailbox
