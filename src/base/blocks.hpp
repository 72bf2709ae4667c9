// Storage of closures and boxed messages: spare blocks by size, those of each thread and those that all threads share.
#pragma once

#include <cstddef>

#include "base/allocation_watch.hpp"
#include "base/block_place.hpp"
#include "base/reserve.hpp"
#include "base/sanitized.hpp"
#include "tact/detail/block_class.hpp"

namespace tact::base {

// Blocks are aligned to 16 bytes. Allocation throws std::bad_alloc. While a may_use_reserve lives it does not throw: if
// the system refuses, a block of up to 512 bytes comes out of the reserve, and a larger one ends the process. Any
// thread may free a block, with the class or the size with which it was allocated.
[[nodiscard]] void* allocate_pooled(detail::block_class c);
[[nodiscard]] void* allocate_large(std::size_t bytes);
void free_pooled(void* block, detail::block_class c) noexcept;
void free_large(void* block, std::size_t bytes) noexcept;
// As allocate_pooled, for a closure: its block lies near others of the place that place_closures named last on this
// thread, or near what this thread uses itself.
[[nodiscard]] void* allocate_closure(detail::block_class c);
// Allocates for containers of the library itself: such memory is counted with the blocks, but never pooled.
[[nodiscard]] void* allocate_counted(std::size_t bytes);
void free_counted(void* block, std::size_t bytes) noexcept;

// The calling thread is this worker from now on: what it frees comes back to it.
void settle_blocks(block_place where) noexcept;
// The closures that the calling thread makes from now on are for actors that live here.
void place_closures(block_place where) noexcept;
// As place_closures, on a thread that has not settled anywhere. On other threads nothing happens.
void place_closures_outside(block_place where) noexcept;
// The closures that the calling thread makes from now on are for actors that live with this thread.
void place_closures_here() noexcept;

// Gives away the spare blocks of this thread. Full batches go to the depots, for other threads, if there is
// room; all other blocks go back to the system.
void trim_blocks() noexcept;

// Gives back to the system a piece of the spare blocks that all threads share, and at last what malloc keeps of blocks
// that were freed, if that is much. False: there was nothing to give back.
bool trim_shared_blocks() noexcept;

// This watch is asked about the memory that the calling thread takes from now on. Null: nothing is asked.
void watch_allocations(allocation_watch* by) noexcept;

// hold_blocks waits until no thread is in the middle of a change of what threads share here, and keeps all threads out
// until release_blocks. So a child process that is forked between the two finds all of it in order.
void hold_blocks() noexcept;
void release_blocks() noexcept;

}  // namespace tact::base
