#include "mailbox/shard.hpp"

namespace tact::mailbox {
namespace {

std::uint64_t messages_in(const chunk* oldest) noexcept {
  std::uint64_t count = 0;
  for (; oldest != nullptr; oldest = oldest->next) count += oldest->messages;
  return count;
}

}  // namespace

std::uint64_t shard::accept(const gulped<chunk>& from, chunk_store& store) noexcept {
  chunk* posted = from.mail ? outside.take(store.take_spare()) : nullptr;
  const std::uint64_t count = messages_in(from.oldest) + messages_in(posted);
  lane.append(from.oldest, store);
  lane.append(posted, store);
  taken.add(count);
  return count;
}

std::uint64_t shard::accept(copy_queue::chain sent, chunk_store& store) noexcept {
  lane.append(sent.oldest, store);
  return messages_in(sent.oldest);
}

}  // namespace tact::mailbox
