#include "mailbox/shard.hpp"

namespace tact::mailbox {
namespace {

std::uint64_t messages_in(const chunk* oldest) noexcept {
  std::uint64_t count = 0;
  for (; oldest != nullptr; oldest = oldest->next) count += oldest->messages;
  return count;
}

}  // namespace

std::uint64_t shard::accept(const gulped<chunk>& taken, chunk_store& store) noexcept {
  chunk* posted = taken.mail ? outside.take(store.take_spare(), ns_per_message) : nullptr;
  const std::uint64_t count = messages_in(taken.oldest) + messages_in(posted);
  lane.append(taken.oldest, store);
  lane.append(posted, store);
  return count;
}

}  // namespace tact::mailbox
