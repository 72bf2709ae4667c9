// A region of slabs: many are allocated at once, so that they lie side by side.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdlib>
#include <new>
#include <vector>

#include "base/mapping.hpp"

namespace tact::actors {

// 2 MiB, which many systems have a large page of.
inline constexpr std::size_t slab_region_bytes = std::size_t{2} << 20;

// Throws std::bad_alloc. A region that is not bound gets a large page if the system has one: so fewer addresses have to
// be looked up. One that is bound does not ask for it, because all of a large page lies on one memory; and it does not
// come from malloc, which may have touched its pages before.
[[nodiscard]] inline void* allocate_slab_region(base::page_binder bind) {
  if (bind != nullptr) return base::map_aligned(slab_region_bytes, bind);
  void* const region = std::aligned_alloc(slab_region_bytes, slab_region_bytes);
  if (region == nullptr) throw std::bad_alloc();
#if defined(MADV_HUGEPAGE)
  static_cast<void>(::madvise(region, slab_region_bytes, MADV_HUGEPAGE));
#endif
  return region;
}

// Makes the slabs of a new region. Puts all but the first one into `rest`, which has room for them.
template <class Slab>
[[nodiscard]] Slab* make_slabs(std::vector<Slab*>& rest, base::page_binder bind) {
  auto* const region = static_cast<std::byte*>(allocate_slab_region(bind));
  for (std::size_t at = slab_region_bytes; at > sizeof(Slab);) {
    at -= sizeof(Slab);
    rest.push_back(::new (region + at) Slab);
  }
  return ::new (region) Slab;
}

}  // namespace tact::actors
