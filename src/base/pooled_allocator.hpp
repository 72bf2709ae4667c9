// An allocator for containers that allocate one node at a time, out of the store of closures.
#pragma once

#include <cstddef>

#include "base/blocks.hpp"

namespace tact::base {

// A node comes from the store of closures, so an insertion may use the reserve of that store: see base/reserve.hpp.
template <class T>
struct pooled_allocator {
  static_assert(sizeof(T) <= 512 && alignof(T) <= 16);
  using value_type = T;

  pooled_allocator() noexcept = default;
  // NOLINTNEXTLINE(google-explicit-constructor): as allocators are
  template <class U>
  pooled_allocator(const pooled_allocator<U>&) noexcept {}

  // REQUIRES: n is 1.
  [[nodiscard]] T* allocate(std::size_t) { return static_cast<T*>(allocate_pooled(detail::class_of_block(sizeof(T)))); }
  void deallocate(T* node, std::size_t) noexcept { free_pooled(node, detail::class_of_block(sizeof(T))); }

  friend bool operator==(const pooled_allocator&, const pooled_allocator&) noexcept = default;
};

}  // namespace tact::base
