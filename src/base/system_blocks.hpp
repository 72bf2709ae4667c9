// Blocks that are taken from the system, one by one, and counted.
#pragma once

#include <cstddef>

#include "base/blocks.hpp"

namespace tact::base {

// Thread safety: any thread. take_from_system throws std::bad_alloc, unless a may_use_reserve lives: see blocks.hpp.
[[nodiscard]] void* take_from_system(std::size_t bytes);
void give_to_system(void* block, std::size_t bytes) noexcept;
// Takes blocks of one size for later, which the system lays side by side if it can. Returns how many it has taken,
// which is fewer than there is room for, or none, when the system refuses.
[[nodiscard]] std::size_t take_some_from_system(std::size_t bytes, void** into, std::size_t most) noexcept;
// Makes malloc give back what it keeps of blocks that were freed, if that is much.
void trim_system_blocks() noexcept;

// As hold_blocks and release_blocks.
void hold_system_blocks() noexcept;
void release_system_blocks() noexcept;

}  // namespace tact::base
