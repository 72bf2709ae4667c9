// A piece of a copy queue: 4 KiB of slots, filled by one owner at a time, published whole.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "mailbox/envelope.hpp"
#include "mailbox/pin_count.hpp"

namespace tact::mailbox {

struct alignas(64) chunk {
  static constexpr std::size_t bytes = 4096;
  static constexpr unsigned capacity_slots = bytes / slot_bytes - 1;
  static constexpr std::uint16_t nobody = 0xffff;
  static constexpr std::uint32_t several = 0xffffffff;

  chunk* next = nullptr;
  std::byte* filled = slots;         // end of what is in the chunk; not kept up while a queue writes here
  std::uint32_t messages = 0;        // messages for others to gulp; not kept up in a lane
  pin_count<sync::real> pins;        // of handlers that wait for an answer, and whose message is here
  std::uint16_t opened_by = nobody;  // the worker that may add messages after the push: see open_chunk
  // How many of the messages are known to be for the shard `bound`. A message that is added without saying so does not
  // count, so it is never taken for one of these.
  std::uint16_t bound_messages = 0;
  std::uint32_t bound = several;

  // The shard for which all messages here are; several: they are not, or that is not known. Not kept up in a lane.
  [[nodiscard]] std::uint32_t bound_for() const noexcept { return bound_messages == messages ? bound : several; }
  // So many of the messages that were just added are for that shard.
  void note_bound(std::uint32_t shard, std::uint32_t count = 1) noexcept {
    // Without branches, because a processor would predict them wrong where messages for several shards alternate.
    bound = bound == several ? shard : bound;
    bound_messages = static_cast<std::uint16_t>(bound_messages + (bound == shard ? count : 0));
  }
  void forget_bound() noexcept {
    bound_messages = 0;
    bound = several;
  }

  [[nodiscard]] std::byte* end() noexcept { return slots + sizeof slots; }
  [[nodiscard]] std::ptrdiff_t used() const noexcept { return filled - slots; }  // bytes
  [[nodiscard]] bool contains(const std::byte* place) const noexcept {
    return std::less_equal<>()(slots + 0, place) && std::less_equal<>()(place, slots + sizeof slots);
  }
  void clear() noexcept {
    next = nullptr;
    filled = slots;
    messages = 0;
    pins.clear();
    opened_by = nobody;
    forget_bound();
  }

  alignas(slot_bytes) std::byte slots[capacity_slots * slot_bytes];
};
static_assert(sizeof(chunk) == chunk::bytes);

// The messages in this chunk and in those linked behind it.
inline std::uint64_t messages_in(const chunk* oldest) noexcept {
  std::uint64_t count = 0;
  for (; oldest != nullptr; oldest = oldest->next) count += oldest->messages;
  return count;
}

}  // namespace tact::mailbox
