// Implements the functions by which the typed headers get memory.
#include "base/blocks.hpp"
#include "base/reserve.hpp"
#include "tact/detail/core.hpp"

namespace tact::detail {

unfailing::unfailing() noexcept { base::may_use_reserve::enter(); }
unfailing::~unfailing() { base::may_use_reserve::leave(); }

void* allocate_pooled(block_class c) {
  return (c & for_closure) == 0 ? base::allocate_pooled(c)
                                : base::allocate_closure(static_cast<block_class>(c & ~for_closure));
}
void* allocate_large(std::size_t bytes) { return base::allocate_large(bytes); }
void free_pooled(void* block, block_class c) noexcept { base::free_pooled(block, c); }
void free_large(void* block, std::size_t bytes) noexcept { base::free_large(block, bytes); }

}  // namespace tact::detail
