// A piece of a copy queue: 4 KiB of slots, filled by one owner at a time, published whole.
#pragma once

#include <cstddef>
#include <cstdint>

#include "mailbox/envelope.hpp"

namespace tact::mailbox {

struct alignas(64) chunk {
  static constexpr std::size_t bytes = 4096;
  static constexpr unsigned capacity_slots = bytes / slot_bytes - 1;

  chunk* next = nullptr;
  std::uint32_t used_slots = 0;
  std::uint32_t messages = 0;

  [[nodiscard]] envelope* at(unsigned slot) noexcept { return reinterpret_cast<envelope*>(slots + slot * slot_bytes); }
  [[nodiscard]] bool has_room(unsigned count) const noexcept { return used_slots + count <= capacity_slots; }
  void clear() noexcept {
    next = nullptr;
    used_slots = 0;
    messages = 0;
  }

  alignas(slot_bytes) std::byte slots[capacity_slots * slot_bytes];
};
static_assert(sizeof(chunk) == chunk::bytes);

}  // namespace tact::mailbox
