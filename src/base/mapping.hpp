// Memory mapped from the system, and who decides on which memory of the machine its pages lie.
#pragma once

#include <cstddef>

namespace tact::base {

// Tells the system where the pages of this range are to lie, before one of them is touched. False: the system refuses,
// and each page lies on the memory of the thread that touches it first. So it is too where there is no binder (null).
// `first` is the beginning of a page, and `bytes` are whole pages.
using page_binder = bool (*)(void* first, std::size_t bytes) noexcept;

// Maps so many bytes, at an address that is a multiple of them, and binds them; munmap gives them back. Throws
// std::bad_alloc. REQUIRES: `bytes` is a power of two, and whole pages.
[[nodiscard]] void* map_aligned(std::size_t bytes, page_binder bind);

}  // namespace tact::base
