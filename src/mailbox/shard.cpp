#include "mailbox/shard.hpp"

namespace tact::mailbox {

std::uint64_t shard::accept(const gulped<chunk>& from, chunk_store& store) noexcept {
  chunk* posted = from.mail ? outside.take(store.take_spare()) : nullptr;
  const std::uint64_t count = messages_in(from.oldest) + messages_in(posted);
  lane.append(from.oldest, store);
  lane.append(posted, store);
  taken.add(count);
  return count;
}

}  // namespace tact::mailbox
