// Vectors whose memory is counted with that of blocks, and functions that give a vector's memory back.
#pragma once

#include <cstddef>
#include <vector>

#include "base/blocks.hpp"

namespace tact::base {

template <class T>
struct counting_allocator {
  static_assert(alignof(T) <= alignof(std::max_align_t));
  using value_type = T;

  counting_allocator() noexcept = default;
  // NOLINTNEXTLINE(google-explicit-constructor): as allocators are
  template <class U>
  counting_allocator(const counting_allocator<U>&) noexcept {}

  [[nodiscard]] T* allocate(std::size_t n) { return static_cast<T*>(allocate_counted(n * sizeof(T))); }
  void deallocate(T* begin, std::size_t n) noexcept { free_counted(begin, n * sizeof(T)); }

  friend bool operator==(const counting_allocator&, const counting_allocator&) noexcept = default;
};

template <class T>
using counted_vector = std::vector<T, counting_allocator<T>>;

// Empties the vector, and gives its memory back. Neither clear() nor `v = {}` does that: the latter assigns a list of
// no elements, which keeps the capacity.
template <class Vector>
void release(Vector& v) noexcept {
  Vector().swap(v);
}

// Empties the vector. It keeps its memory for the next elements if that has room for `kept_max` elements at most.
template <class Vector>
void empty_but_keep(Vector& v, std::size_t kept_max) noexcept {
  v.capacity() > kept_max ? release(v) : v.clear();
}

}  // namespace tact::base
