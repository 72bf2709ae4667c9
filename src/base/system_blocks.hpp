// Blocks that are taken from the system, and counted.
#pragma once

#include <cstddef>
#include <cstdint>

#include "tact/detail/block_class.hpp"

namespace tact::base {

// Thread safety: any thread. Taking throws std::bad_alloc, unless a may_use_reserve lives: then a block comes out of
// the reserve, or the process ends.
[[nodiscard]] void* take_from_system(detail::block_class c);
void give_to_system(void* block, detail::block_class c) noexcept;
// Takes blocks of one size for later, which lie side by side if that is possible. Returns how many it has taken, which
// is fewer than there is room for, or none, when the system refuses.
[[nodiscard]] std::size_t take_some_from_system(detail::block_class c, void** into, std::size_t most) noexcept;
// Blocks of any other size, from malloc.
[[nodiscard]] void* take_large_from_system(std::size_t bytes);
void give_large_to_system(void* block, std::size_t bytes) noexcept;
// Gives back some of the pages in which no block is in use; at last makes malloc give back what it keeps, if that is
// much. False: there was nothing to give back.
[[nodiscard]] bool trim_system_blocks() noexcept;

// Fills the reserve of blocks. Throws std::bad_alloc.
void fill_block_reserve();

// Memory taken from the system by this process for blocks: how often, and how much is held now.
struct block_usage {
  std::uint64_t allocations;
  std::uint64_t bytes_held;
};
[[nodiscard]] block_usage read_block_usage() noexcept;

// Between the two no thread is in the middle of a change, and all are kept out.
void hold_system_blocks() noexcept;
void release_system_blocks() noexcept;

}  // namespace tact::base
