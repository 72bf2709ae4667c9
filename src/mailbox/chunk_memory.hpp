// Where chunks come from: mappings of 256 KiB, shared by all engines, which go back to the system when they are empty.
#pragma once

#include <cstdint>

#include "base/mapping.hpp"
#include "mailbox/chunk.hpp"

namespace tact::mailbox {

// The mapping of a chunk is found by the chunk's address, so any thread may give a chunk back. A lock guards the
// mappings: depots and workers keep spare chunks, so they come here only while a load grows. Thread safety: any thread.
// Under AddressSanitizer every chunk comes from `new`, so that use after free is seen, and is never bound.
//
// Chunks whose pages are bound (`bind`) lie in mappings of their own, with a reserve and a lock of their own. So
// engines that want their memory in different places do not get each other's chunks.
//
// Returns a cleared chunk. Throws std::bad_alloc, but not while a base::may_use_reserve lives. `is_permitted`: no
// simulation refuses it.
[[nodiscard]] chunk* allocate_chunk(base::page_binder bind = nullptr, bool is_permitted = true);
// Allocates up to `count` chunks, and at least one, which are linked by `next` from `first` on. Returns how many.
// Otherwise as allocate_chunk.
[[nodiscard]] unsigned allocate_chunks(unsigned count, chunk*& first, base::page_binder bind = nullptr,
                                       bool is_permitted = true);
void free_chunk(chunk* spare) noexcept;
// The chunk that was allocated here and has this place: one of its slots, or the end of them.
[[nodiscard]] chunk& chunk_of(std::byte* place) noexcept;

// Fills the reserve of chunks. Throws std::bad_alloc.
void fill_chunk_reserve(base::page_binder bind = nullptr);

// Gives back to the system what is free: whole mappings, and the pages of free chunks between chunks in use.
void trim_chunks() noexcept;

// Memory taken from the system by this process for chunks: how often, and how much is held now.
struct chunk_usage {
  std::uint64_t allocations;
  std::uint64_t bytes_held;
};
[[nodiscard]] chunk_usage read_chunk_usage() noexcept;

// hold_chunks waits until no thread is in the middle of a change of the mappings, and keeps all threads out until
// release_chunks: see base::hold_blocks.
void hold_chunks() noexcept;
void release_chunks() noexcept;

}  // namespace tact::mailbox
