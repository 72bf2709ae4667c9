// A piece of a copy queue: 4 KiB of slots, filled by one owner at a time, published whole.
#pragma once

#include <cstddef>
#include <cstdint>

#include "mailbox/envelope.hpp"
#include "mailbox/pin_count.hpp"

namespace tact::mailbox {

struct alignas(64) chunk {
  static constexpr std::size_t bytes = 4096;
  static constexpr unsigned capacity_slots = bytes / slot_bytes - 1;
  static constexpr std::uint16_t nobody = 0xffff;
  static constexpr detail::port several = ~detail::port{0};

  chunk* next = nullptr;
  std::byte* filled = slots;         // end of what is in the chunk; not kept up while a queue writes here
  pin_count<sync::real> pins;        // of handlers that wait for an answer, and whose message is here
  std::uint16_t messages = 0;        // in the chunk, those included that were read; kept up as `filled` is
  std::uint16_t opened_by = nobody;  // the worker that may add messages after the push: see open_chunk
  // The actor for which all messages here are, by its port with index 0; several: they are not, or that is not known.
  // Found when the chunk is full, or is published.
  detail::port only_target = several;

  [[nodiscard]] std::byte* end() noexcept { return slots + sizeof slots; }
  [[nodiscard]] std::ptrdiff_t used() const noexcept { return filled - slots; }  // bytes
  // Slots before `end`, a place in this chunk, in which none of `count` envelopes begins.
  [[nodiscard]] std::uint32_t extra_slots(const std::byte* end, std::uint32_t count) const noexcept {
    return static_cast<std::uint32_t>(static_cast<std::size_t>(end - slots) / slot_bytes) - count;
  }
  // Looks whether all messages are for one actor, up to the first one that is for another.
  void find_only_target() noexcept {
    const auto* e = reinterpret_cast<envelope*>(slots);
    const auto* const behind = reinterpret_cast<envelope*>(filled);
    only_target = e->target() & ~detail::index_mask;
    while (only_target != several && e != behind) {
      if (!detail::same_actor(e->target(), only_target)) only_target = several;
      e += e->slots();
    }
  }
  void clear() noexcept {
    next = nullptr;
    filled = slots;
    messages = 0;
    pins.clear();
    opened_by = nobody;
    only_target = several;
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
