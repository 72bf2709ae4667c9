// Storage of closures and boxed messages: free lists by size, one set per thread, spare blocks shared by all threads.
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

// Aligned to 16. Throw std::bad_alloc; while a may_use_reserve lives they do not, up to 512 bytes. A block may be freed
// on any thread, as what it was asked for.
[[nodiscard]] void* allocate_pooled(detail::block_class c);
[[nodiscard]] void* allocate_large(std::size_t bytes);
void free_pooled(void* block, detail::block_class c) noexcept;
void free_large(void* block, std::size_t bytes) noexcept;
// For containers of the library's own: counted, but no watch is told of it.
[[nodiscard]] void* allocate_counted(std::size_t bytes);
void free_counted(void* block, std::size_t bytes) noexcept;

// Gives the spare blocks of this thread to the others, as far as they are full batches with room for them, and else
// back to the system.
void trim_blocks() noexcept;

// Asked about every block and chunk, and what else the library takes from the system, on a thread; such a thread pools
// nothing. For simulations.
class allocation_watch {
 public:
  [[nodiscard]] virtual bool permits_allocation() noexcept = 0;
  // Null: nobody watches this thread.
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
// The same for what comes from operator new: where the library asks for that, and can be refused.
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

// Between them nobody is in what threads share here: so a process that is forked finds it as it should be.
void hold_blocks() noexcept;
void release_blocks() noexcept;

}  // namespace tact::base
