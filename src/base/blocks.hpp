// Storage of closures and boxed messages: spare blocks by size, those of each thread and those that all threads share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>

#include "base/reserve.hpp"
#include "base/sanitized.hpp"
#include "tact/detail/block_class.hpp"

namespace tact::base {

// Under AddressSanitizer every block comes from malloc and goes back to it, so that use after free is seen.
inline constexpr bool pooling = !under_asan;

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
// For containers of the library itself: counted with the blocks, but never pooled.
[[nodiscard]] void* allocate_counted(std::size_t bytes);
void free_counted(void* block, std::size_t bytes) noexcept;

// Where blocks lie: near others that the same worker uses, because a worker whose actors lie among those of others uses
// a part of its caches only. Workers of all engines share the places.
// docs/decisions/0071-blocks-lie-near-their-worker.md
using block_place = unsigned char;
inline constexpr block_place no_worker = 0;
inline constexpr std::size_t block_places = 64;
constexpr block_place place_of_worker(unsigned worker) noexcept {
  return static_cast<block_place>(1 + worker % (block_places - 1));
}
// The calling thread is this worker from now on: what it frees comes back to it.
void settle_blocks(block_place where) noexcept;
// The closures that the calling thread makes from now on are for actors that live here.
void place_closures(block_place where) noexcept;
// As place_closures, on a thread that has not settled anywhere; on others nothing happens.
void place_closures_outside(block_place where) noexcept;
// They are for actors that live with the calling thread.
void place_closures_here() noexcept;

// Gives away the spare blocks of this thread. Full batches go to the depots, for other threads, if there is
// room; all other blocks go back to the system.
void trim_blocks() noexcept;

// Gives back to the system a piece of the spare blocks that all threads share, and at last what malloc keeps of blocks
// that were freed, if that is much. False: there was nothing to give back.
bool trim_shared_blocks() noexcept;

// What lets a simulation refuse memory: the watch of a thread is asked about every block, every chunk and whatever else
// the library takes from the system on that thread. A thread that has a watch keeps no spare blocks.
class allocation_watch {
 public:
  [[nodiscard]] virtual bool permits_allocation() noexcept = 0;
  // `by` watches the calling thread from now on. Null: nothing does.
  static void begin(allocation_watch* by) noexcept;
  [[nodiscard]] static allocation_watch* current() noexcept { return current_; }

 protected:
  ~allocation_watch() = default;

 private:
  [[gnu::tls_model("initial-exec")]] static constinit thread_local allocation_watch* current_;
};
[[nodiscard]] inline bool may_allocate() noexcept {
  auto* const watch = allocation_watch::current();
  return watch == nullptr || watch->permits_allocation();
}
// The same question for memory from operator new, asked before the library takes some where it can report a refusal.
// Throws std::bad_alloc when the answer is no.
inline void look_for_memory() {
  if (!may_allocate()) throw std::bad_alloc();
}

// Fills the reserve of blocks. Throws std::bad_alloc.
void fill_block_reserve();

// Memory taken from the system by this process for blocks: how often, and how much is held now.
struct block_usage {
  std::uint64_t allocations;
  std::uint64_t bytes_held;
};
[[nodiscard]] block_usage read_block_usage() noexcept;

// hold_blocks waits until no thread is in the middle of a change of what threads share here, and keeps all threads out
// until release_blocks. So a child process that is forked between the two finds all of it in order.
void hold_blocks() noexcept;
void release_blocks() noexcept;

}  // namespace tact::base
