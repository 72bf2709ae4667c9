// The memory of a region: 2 MiB that stay mapped for ever, of which only the pages in use are memory.
#pragma once

#include <cstddef>

#include "base/mapping.hpp"

namespace tact::actors {

inline constexpr std::size_t region_bytes = std::size_t{2} << 20;
inline constexpr std::size_t region_page_bytes = 4096;

// Maps a region of zeros, aligned to its size. `bind`: says where its pages lie. `huge`: it gets a large page if the
// system has one, so that fewer addresses have to be looked up; not for a region that is bound, because all of a large
// page lies on one memory. Throws std::bad_alloc.
[[nodiscard]] void* map_region(base::page_binder bind, bool huge);

// Gives pages of a region back to the system. From then on they read as zero. False: they keep their contents, because
// the system refuses: the memory of the process is locked, or its pages are larger.
[[nodiscard]] bool give_back_pages(void* region, unsigned first, unsigned count) noexcept;

}  // namespace tact::actors
